"""Modified backward passes: relevance propagation, guided backpropagation, Libra; `rules` is how they are installed."""

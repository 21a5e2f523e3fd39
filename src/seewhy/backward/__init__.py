"""Ways to backpropagate differently: LRP rules, guided backpropagation, Libra."""

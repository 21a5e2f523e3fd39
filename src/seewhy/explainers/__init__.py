"""AHA's trained explainers: network, loss, presets, files."""

"""Ways to run a model differently: masked, patched, spliced, with dropped tokens, many images at once."""

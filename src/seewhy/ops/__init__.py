"""Pure mathematics on tensors: no model, no file, no state."""

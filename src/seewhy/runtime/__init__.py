"""Infrastructure: atomic file writes, prefetching, progress bars, random seeds, malloc tuning, options, targets."""

"""Models: what a method may ask for, and one adapter per library."""

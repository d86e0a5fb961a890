"""Records as lines, one module for each format. Pure: no Django."""

"""Way in: from a source to dated, classified, versioned passages. The only package that writes."""

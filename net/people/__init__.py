"""Who is who: keys, names one knows, and what people say to each other."""

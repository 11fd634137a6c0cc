"""Models for short recordings and the notes that come with them. It grew in notebooks, and runs eagerly."""

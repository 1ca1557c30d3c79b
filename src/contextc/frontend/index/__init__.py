"""What is known of every file's content, kept by blob id."""

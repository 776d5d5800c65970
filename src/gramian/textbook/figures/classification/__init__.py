"""Figures of the course on classification: centroids, lifting maps, boosting, Bayes risk."""

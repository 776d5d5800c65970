"""Clusters."""

from gramian.study.contents.clusters import Clusters


def test_sizes_and_profiles_match_the_clusters(clustered):
    found = clustered.clusters
    assert isinstance(found, Clusters)
    assert len(found.sizes) == found.k
    assert sum(found.sizes) == clustered.run.data.rows_used
    assert all(len(profile.values) == found.k for profile in found.profiles)
    assert max(found.tried, key=lambda tried: tried.silhouette).k == found.k
    assert set(found.picture.group) <= set(range(found.k))

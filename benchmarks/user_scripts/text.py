"""Topics of texts: words counted, weighted and classified."""

import numpy as np
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import ComplementNB, MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

rng = np.random.default_rng(0)
words = np.array([f"word{k}" for k in range(20_000)])
common = 1 / np.arange(1, len(words) + 1)
y = rng.integers(0, 8, size=6_000)
topics = [common * rng.lognormal(0, 0.6, len(words)) for _ in range(8)]
topics = [topic / topic.sum() for topic in topics]
texts = [" ".join(rng.choice(words, size=80, p=topics[label])) for label in y]
train, test, y_train, y_test = train_test_split(texts, y, random_state=0)
scores = []
for model in (
    MultinomialNB(),
    ComplementNB(),
    LogisticRegression(C=10),
    LinearSVC(random_state=0),
    SGDClassifier(random_state=0),
    make_pipeline(TruncatedSVD(50, random_state=0), KNeighborsClassifier(20)),
):
    pipe = make_pipeline(TfidfVectorizer(sublinear_tf=True, min_df=2), model).fit(train, y_train)
    scores.append(pipe.score(test, y_test))
    print(pipe[-1].__class__.__name__, scores[-1])
print("score", sum(scores) / len(scores))

"""The language of an abstract, on texts written for this."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kg.papers import language

TEXTS = {
    "en": "We present a model that reads long tables. It is trained on WikiRows and beats the baselines by two points.",
    "de": "Wir stellen ein Modell vor, das lange Tabellen liest. Es wird auf WikiRows trainiert und ist besser "
    "als die bisherigen Verfahren.",
    "fr": "Nous présentons un modèle qui lit de longs tableaux. Il est entraîné sur WikiRows et dépasse les "
    "méthodes existantes de deux points.",
    "es": "Presentamos un modelo que lee tablas largas. Se entrena con WikiRows y supera los métodos anteriores "
    "en dos puntos.",
    "pt": "Apresentamos um modelo que lê tabelas longas. Ele é treinado com o WikiRows e supera os métodos "
    "anteriores em dois pontos.",
    "it": "Presentiamo un modello che legge tabelle lunghe. È addestrato su WikiRows e supera i metodi "
    "precedenti di due punti nella prova.",
    "nl": "Wij presenteren een model dat lange tabellen leest. Het wordt op WikiRows getraind en is beter dan "
    "de eerdere methoden.",
    "sv": "Vi presenterar en modell som läser långa tabeller. Den tränas på WikiRows och är bättre än de "
    "tidigare metoderna för detta.",
    "pl": "Przedstawiamy model, który czyta długie tabele. Jest on uczony na zbiorze WikiRows i jest lepszy od "
    "metod, które są znane.",
    "tr": "Bu çalışmada uzun tabloları okuyan bir model sunuyoruz. Model WikiRows ile eğitilir ve önceki "
    "yöntemlere göre daha iyidir.",
    "id": "Kami menyajikan sebuah model yang membaca tabel panjang. Model ini dilatih dengan WikiRows dan lebih "
    "baik dari metode lain.",
    "zh": "我们提出了一种读取长表格的模型 Sparrow，它在 WikiRows 数据集上训练，性能优于以往的方法。",
    "ja": "本研究では、長い表を読むモデル Sparrow を提案する。WikiRows で学習し、従来の手法を上回る。",
    "ko": "우리는 긴 표를 읽는 모델 Sparrow를 제안한다. WikiRows에서 학습하며 기존 방법보다 우수하다.",
    "ru": "Мы представляем модель Sparrow, которая читает длинные таблицы. Она обучена на WikiRows.",
    "el": "Παρουσιάζουμε ένα μοντέλο που διαβάζει μεγάλους πίνακες.",
    "ar": "نقدم نموذجا يقرأ الجداول الطويلة ويتفوق على الطرق السابقة.",
    "und": "Novum exemplar proponimus quod tabulas longas legit et exemplaria priora superat. Quaestiones multae "
    "de magnis tabulis adhuc apertae manent, quia memoria brevis est. Nostra ratio partes singulas ordine "
    "legit, deinde summam facit. Experimenta nostra monstrant hanc rationem meliorem esse quam omnes "
    "rationes antea cognitas.",
}


@pytest.mark.parametrize("code", TEXTS)
def test_language(code: str) -> None:
    assert language(TEXTS[code]) == code


@pytest.mark.parametrize(
    "text", ["", "BERT", "α-GAN, β-VAE, γ", "论文 list of papers for the conference", "ResNet-50 CIFAR-10 98.2"]
)
def test_doubt_is_english(text: str) -> None:
    assert language(text) == "en"


def test_the_seeds_are_english() -> None:
    lines = (Path(__file__).parent / "data" / "seeds-gold.jsonl").read_text(encoding="utf-8").splitlines()
    assert {language(json.loads(line)["text"]) for line in lines} == {"en"}

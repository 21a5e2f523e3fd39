"""Papers that more than one metric comes from."""

from seewhy.types import Paper

RISE = Paper(
    title="RISE: Randomized Input Sampling for Explanation of Black-box Models",
    authors="Petsiuk, Vitali and Das, Abir and Saenko, Kate",
    year=2018,
    venue="BMVC",
    url="https://arxiv.org/abs/1806.07421",
)
CHEFER = Paper(
    title="Transformer Interpretability Beyond Attention Visualization",
    authors="Chefer, Hila and Gur, Shir and Wolf, Lior",
    year=2021,
    venue="CVPR",
    url="https://arxiv.org/abs/2012.09838",
)
GRAD_CAM_PP = Paper(
    title="Grad-CAM++: Generalized Gradient-Based Visual Explanations for Deep Convolutional Networks",
    authors="Chattopadhay, Aditya and Sarkar, Anirban and Howlader, Prantik and Balasubramanian, Vineeth N",
    year=2018,
    venue="WACV",
    url="https://arxiv.org/abs/1710.11063",
)
MAS = Paper(
    title="Attribution Quality Metrics with Magnitude Alignment",
    authors="Walker, Chase and Simon, Dominic and Chen, Kenny and Ewetz, Rickard",
    year=2024,
    venue="IJCAI",
)
XRAI = Paper(
    title="XRAI: Better Attributions Through Regions",
    authors="Kapishnikov, Andrei and Bolukbasi, Tolga and Viegas, Fernanda and Terry, Michael",
    year=2019,
    venue="ICCV",
    url="https://arxiv.org/abs/1906.02825",
)
SANITY = Paper(
    title="Sanity Checks for Saliency Maps",
    authors="Adebayo, Julius and Gilmer, Justin and Muelly, Michael and Goodfellow, Ian and Hardt, Moritz "
    "and Kim, Been",
    year=2018,
    venue="NeurIPS",
    url="https://arxiv.org/abs/1810.03292",
)
GRID_PG = Paper(
    title="Towards Better Understanding Attribution Methods",
    authors="Rao, Sukrut and Böhle, Moritz and Schiele, Bernt",
    year=2022,
    venue="CVPR",
    url="https://arxiv.org/abs/2205.10435",
)

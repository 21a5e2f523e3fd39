"""Papers that more than one file cites."""

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
CAAP = Paper(
    title="Causal Attribution via Activation Patching",
    authors="Izadi, Amirmohammad and Banayeezade, Mohammadali and Mirrokni, Alireza and Hasani, Hosein and "
    "Bagherian, Mobin and Mehri, Faridoun and Soleymani Baghshah, Mahdieh",
    year=2026,
)
GRAD_CAM = Paper(
    title="Grad-CAM: Visual Explanations from Deep Networks via Gradient-based Localization",
    authors="Selvaraju, Ramprasaath R. and Cogswell, Michael and Das, Abhishek and Vedantam, Ramakrishna "
    "and Parikh, Devi and Batra, Dhruv",
    year=2017,
    venue="ICCV",
    url="https://arxiv.org/abs/1610.02391",
)
MDA = Paper(
    title="Metric-Driven Attributions for Vision Transformers",
    authors="Walker, Chase and Jha, Sumit Kumar and Ewetz, Rickard",
    year=2025,
    venue="ICLR",
    url="https://github.com/chasewalker26/MDA-Metric-Driven-Attributions-for-ViT",
)
INTEGRATED_GRADIENTS = Paper(
    title="Axiomatic Attribution for Deep Networks",
    authors="Sundararajan, Mukund and Taly, Ankur and Yan, Qiqi",
    year=2017,
    venue="ICML",
    url="https://arxiv.org/abs/1703.01365",
)
SKIP_PLUS = Paper(
    title="SkipPLUS: Skip the First Few Layers to Better Explain Vision Transformers",
    authors="Mehri, Faridoun and Fayyaz, Mohsen and Baghshah, Mahdieh Soleymani and Pilehvar, Mohammad Taher",
    year=2024,
    venue="CVPR Workshops",
    url="https://openaccess.thecvf.com/content/CVPR2024W/TCV2024/html/"
    "Mehri_SkipPLUS_Skip_the_First_Few_Layers_to_Better_Explain_Vision_CVPRW_2024_paper.html",
)
AHA = Paper(
    title="Learn to Rank: Visual Attribution by Learning Importance Ranking",
    authors="Schinagl, David and Fruhwirth-Reisinger, Christian and Prutsch, Alexander and Schulter, Samuel and "
    "Possegger, Horst",
    year=2026,
    venue="ECCV",
    url="https://arxiv.org/abs/2604.05819",
)

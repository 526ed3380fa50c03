import { drawPage } from "./drawn.js"
import { problemCatalogue } from "./problems.js"

void drawPage((reference) => ({ parts: problemCatalogue(reference), articles: [] }))

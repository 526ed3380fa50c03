import { type Fields, listAt, objectAt, oneOf, refuse, textAt } from "../checks.ts"
import type { Known } from "./Known.ts"

/** Refuses products of an account without a catalog. */
export const requireCatalog = ({ hasCatalog }: Known) => {
  if (!hasCatalog) refuse(131_009, "The account has no connected catalog.")
}

/** Parameters of a named action. */
export const parametersOf = (action: Fields, name: string, keys: ReadonlyArray<string>): Fields => {
  const fields = objectAt(action, "action", ["name", "parameters"])
  oneOf(fields["name"], "action.name", [name])
  return objectAt(fields["parameters"] ?? {}, "action.parameters", keys)
}

export const checkLinkButton = (action: Fields) => {
  const parameters = parametersOf(action, "cta_url", ["display_text", "url"])
  textAt(parameters["display_text"], "display_text", 20)
  if (!/^https?:\/\/\S+$/u.test(textAt(parameters["url"], "url", 2_000)))
    refuse(131_009, "Param url is not an address.")
}

export const checkProduct = (action: Fields, known: Known) => {
  const fields = objectAt(action, "action", ["catalog_id", "product_retailer_id"])
  textAt(fields["catalog_id"], "catalog_id", 100)
  textAt(fields["product_retailer_id"], "product_retailer_id", 100)
  requireCatalog(known)
}

/** Checks the sections of a list of products: at most 10 sections and 30 products. */
export const checkProductSections = (value: unknown) => {
  const sections = listAt(value, "sections", 10)
  const items = sections.flatMap((each) => {
    const section = objectAt(each, "section", ["title", "product_items"])
    if (sections.length > 1) textAt(section["title"], "section.title", 24)
    return listAt(section["product_items"], "product_items", 30).map((item) =>
      textAt(objectAt(item, "product_item", ["product_retailer_id"])["product_retailer_id"], "product_retailer_id", 100)
    )
  })
  if (items.length > 30) refuse(131_009, "A message has at most 30 products.")
}

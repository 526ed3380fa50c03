import { openCartField } from "./openCartField.ts"
import { orderCountField } from "./orderCountField.ts"
import { productField } from "./productField.ts"
import { spentField } from "./spentField.ts"
import { storeField } from "./storeField.ts"
import { cartAbandonedAtField, firstOrderAtField, lastOrderAtField } from "./timeFields.ts"

/** What stores know of contacts, as fields of filters. */
export const commerceFilterFields = [
  orderCountField,
  spentField,
  firstOrderAtField,
  lastOrderAtField,
  cartAbandonedAtField,
  productField,
  openCartField,
  storeField
]

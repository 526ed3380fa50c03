import { foldText } from "../kernel/index.ts"
import type { KeptCart } from "./Cart.ts"
import type { KeptOrder } from "./Order.ts"
import type { KeptProduct } from "./Product.ts"
import type { KeptCustomer } from "./StoreCustomer.ts"

/** Ends of lines part what is found by itself: no search of one line finds across them. */
const folded = (texts: ReadonlyArray<string | null>): string =>
  texts.flatMap((text) => (text === null || text === "" ? [] : [foldText(text)])).join("\n")

/** What customers are searched by. */
export const customerSearchText = ({ customer: { email, name, phone } }: KeptCustomer): string =>
  folded([name, phone, email])

/** What orders are searched by. */
export const orderSearchText = ({ record: { email, name, phone } }: KeptOrder): string => folded([name, phone, email])

/** What carts are searched by. */
export const cartSearchText = ({ record: { email, lines, phone } }: KeptCart): string =>
  folded([phone, email, ...lines.map(({ title }) => title)])

/** What products are searched by. */
export const productSearchText = ({ product: { title, variants } }: KeptProduct): string =>
  folded([title, ...variants.map(({ sku }) => sku)])

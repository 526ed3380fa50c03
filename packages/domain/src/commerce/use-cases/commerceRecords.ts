import { Effect } from "effect"
import { type ContactId, Contacts, type ContactSearch, loadSearchedPage } from "../../crm/index.ts"
import {
  CurrentActor,
  hasPermission,
  NotFound,
  paged,
  type PageRequest,
  PermissionDenied,
  useCase
} from "../../kernel/index.ts"
import type { ConversationId } from "../../messaging/inbox/index.ts"
import { type CartQuery, StoreCarts } from "../Cart.ts"
import { ContactCommerceRecords } from "../ContactCommerce.ts"
import { allRecords, type CartId, type CommerceQuery, type OrderId, type ProductId } from "../Ids.ts"
import { StoreOrders } from "../Order.ts"
import { StoreProducts } from "../Product.ts"
import { allOrders, orderCursorKey, type OrderQuery, parseOrderSearch } from "../orderSearch.ts"
import { requireQueryTargets, requireStore, loadCommerceView, toCartViews, toOrderViews } from "../loadViews.ts"

export const getCart = useCase(
  { name: "carts.get", access: { permission: "commerce.read" } },
  Effect.fnUntraced(function* ({ id }: { readonly id: CartId }) {
    const [cart] = yield* toCartViews([yield* (yield* StoreCarts).get(id)])
    return cart ?? (yield* new NotFound({ resource: "cart" }))
  })
)

/** Lists the carts of stores, newest first. */
export const listCarts = useCase(
  { name: "carts.list", access: { permission: "commerce.read" } },
  Effect.fnUntraced(function* ({ page, ...request }: { readonly page: PageRequest } & Partial<CartQuery>) {
    const query: CartQuery = { ...allRecords, state: null, ...request }
    yield* requireQueryTargets(query)
    const carts = yield* StoreCarts
    const { data, nextCursor } = yield* paged(
      "commerce/carts",
      page,
      (slice) => carts.list(query, slice),
      ({ id }) => [id]
    )
    return { data: yield* toCartViews(data), nextCursor }
  })
)

export const getOrder = useCase(
  { name: "orders.get", access: { permission: "commerce.read" } },
  Effect.fnUntraced(function* ({ id }: { readonly id: OrderId }) {
    const [order] = yield* toOrderViews([yield* (yield* StoreOrders).get(id)])
    return order ?? (yield* new NotFound({ resource: "order" }))
  })
)

/** Lists the orders of stores in the requested order. Exact matches of a search come first, followed by matches with corrected typing errors. */
export const listOrders = useCase(
  { name: "orders.list", access: { permission: "commerce.read" } },
  Effect.fnUntraced(function* ({
    page,
    q,
    ...request
  }: { readonly page: PageRequest; readonly q?: string } & Partial<Omit<OrderQuery, "search">>) {
    const query = { ...allOrders, ...request }
    yield* requireQueryTargets(query)
    const orders = yield* StoreOrders
    const nameOf = (search: ContactSearch | null) =>
      `commerce/orders/${query.sort}${search === null ? "" : `/${search.kind}`}`
    const read = (search: ContactSearch | null, page: PageRequest) =>
      paged(
        nameOf(search),
        page,
        (slice) => orders.list({ ...query, search: search?.kind === "beginning" ? null : search }, slice),
        (order) => orderCursorKey(query.sort, order)
      )
    const { data, nextCursor } = yield* loadSearchedPage(
      { nameOf, read, wordsLike: orders.wordsLike },
      q === undefined ? null : parseOrderSearch(q),
      page
    )
    return { data: yield* toOrderViews(data), nextCursor }
  })
)

export const getProduct = useCase(
  { name: "products.get", access: { permission: "commerce.read" } },
  Effect.fnUntraced(function* ({ id }: { readonly id: ProductId }) {
    return (yield* (yield* StoreProducts).get(id)).product
  })
)

/** Lists the products of stores, newest first. */
export const listProducts = useCase(
  { name: "products.list", access: { permission: "commerce.read" } },
  Effect.fnUntraced(function* ({
    page,
    ...request
  }: { readonly page: PageRequest } & Partial<Omit<CommerceQuery, "contactId">>) {
    const query = { ...allRecords, ...request }
    yield* requireStore(query)
    const products = yield* StoreProducts
    const { data, nextCursor } = yield* paged(
      "commerce/products",
      page,
      (slice) => products.list(query, slice),
      ({ product }) => [product.id]
    )
    return { data: data.map(({ product }) => product), nextCursor }
  })
)

/** Reads the data of all stores about a contact, from the database only. */
export const getContactCommerce = useCase(
  { name: "commerce.getOfContact", access: { permission: "commerce.read" } },
  Effect.fnUntraced(function* ({ id, orders = 10 }: { readonly id: ContactId; readonly orders?: number }) {
    if (!hasPermission(yield* CurrentActor, "contacts.read"))
      return yield* new PermissionDenied({ permission: "contacts.read" })
    yield* (yield* Contacts).get(id)
    return yield* loadCommerceView(yield* (yield* ContactCommerceRecords).read(id, orders))
  })
)

/** Reads the data of all stores about the contact of a conversation, from the database only, in one statement. */
export const getConversationCommerce = useCase(
  { name: "commerce.getOfConversation", access: { permission: "commerce.read" } },
  Effect.fnUntraced(function* ({ id, orders = 10 }: { readonly id: ConversationId; readonly orders?: number }) {
    if (!hasPermission(yield* CurrentActor, "conversations.read")) {
      return yield* new PermissionDenied({ permission: "conversations.read" })
    }
    return yield* loadCommerceView(yield* (yield* ContactCommerceRecords).readOfConversation(id, orders))
  })
)

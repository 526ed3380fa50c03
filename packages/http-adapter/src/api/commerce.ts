import {
  Cart,
  CartId,
  CartState,
  ContactCommerce,
  ContactId,
  ConversationId,
  normalizeForSearch,
  FulfilmentStatus,
  isSearchable,
  Order,
  OrderId,
  Page,
  PaymentStatus,
  PrivacyExport,
  PrivacyRequest,
  PrivacyRequestId,
  PrivacyState,
  Product,
  ProductId,
  MultiLineText,
  StoreConnectionId,
  StoreCustomer,
  StoreCustomerId,
  Timestamp
} from "@parley/domain"
import { Schema, SchemaGetter } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { area, describe } from "./describe.ts"
import { Idempotent, InOrganization, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { idOf, PageQuery } from "./shapes.ts"

const read = [Problems.PermissionDenied, Problems.NotFound] as const
const listed = [...read, Problems.CursorInvalid] as const

const mostAsked = 120

const askable = "Expected 3 to 120 characters, or 2 of Chinese, Japanese or Korean"

const ofStore = {
  ...PageQuery,
  storeConnectionId: Schema.optionalKey(StoreConnectionId).annotateKey({ description: "Only those of this store." }),
  updatedSince: Schema.optionalKey(Timestamp).annotateKey({
    description: "Only those that were changed at this time or later."
  }),
  q: Schema.optionalKey(
    MultiLineText.check(
      Schema.isBetweenCodePoints(2, mostAsked, { message: askable }),
      // A value above the length limit is a separate error, because it is expensive to normalize.
      Schema.makeFilter(
        (text: string) => text.length > 2 * mostAsked || isSearchable(normalizeForSearch(text)) || askable
      )
    )
  ).annotateKey({
    description:
      "A part of what it is called or known by: three characters at least, or two of Chinese, Japanese or Korean. Case and accents make no difference."
  })
}

const ofContact = {
  ...ofStore,
  contactId: Schema.optionalKey(ContactId).annotateKey({ description: "Only those of this contact." })
}

const mostOrders = "Expected a whole number from 1 to 25"

const OrderCount = Schema.String.check(Schema.isPattern(/^[1-9]\d?$/u, { message: mostOrders })).pipe(
  Schema.decodeTo(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 25 }, { message: mostOrders })), {
    decode: SchemaGetter.transform(Number),
    encode: SchemaGetter.transform(String)
  })
)

const acrossStores = {
  query: {
    orders: Schema.optionalKey(OrderCount).annotateKey({
      description: "How many orders to send: 1 to 25, 10 if not said."
    })
  },
  success: ContactCommerce,
  error: read
} as const

const answered =
  "The customer profiles, what was spent and ordered in each currency, the orders placed last, and the carts that are open. It is answered from what is known here: no store is asked, and `stores` says how far that can be behind. A contact whom no store knows has nothing here."

/** What happens in stores: orders, carts, customers and products, as they are there. */
export class CommerceApi extends HttpApiGroup.make("commerce")
  .add(
    HttpApiEndpoint.get("listOrders", "/commerce/orders", {
      query: {
        ...ofContact,
        paymentStatus: Schema.optionalKey(PaymentStatus).annotateKey({ description: "Only orders paid so far." }),
        fulfilmentStatus: Schema.optionalKey(FulfilmentStatus).annotateKey({
          description: "Only orders fulfilled so far."
        })
      },
      success: Page(Order),
      error: listed
    }).annotateMerge(describe("listOrders", "List orders", "Newest first, by when they came to be known.")),
    HttpApiEndpoint.get("getOrder", "/commerce/orders/:id", {
      params: idOf(OrderId, "order"),
      success: Order,
      error: read
    }).annotateMerge(
      describe(
        "getOrder",
        "Read an order",
        "`total` is as it was placed, `currentTotal` after edits and returns. Amounts are in the store's currency, `presentmentTotal` in the one that the customer saw."
      )
    ),
    HttpApiEndpoint.get("listCarts", "/commerce/carts", {
      query: {
        ...ofContact,
        state: Schema.optionalKey(CartState).annotateKey({ description: "Only carts in this state." })
      },
      success: Page(Cart),
      error: listed
    }).annotateMerge(describe("listCarts", "List carts", "Newest first, by when they came to be known.")),
    HttpApiEndpoint.get("getCart", "/commerce/carts/:id", {
      params: idOf(CartId, "cart"),
      success: Cart,
      error: read
    }).annotateMerge(describe("getCart", "Read a cart")),
    HttpApiEndpoint.get("listCustomers", "/commerce/customers", {
      query: ofContact,
      success: Page(StoreCustomer),
      error: listed
    }).annotateMerge(describe("listStoreCustomers", "List customers", "Newest first, by when they came to be known.")),
    HttpApiEndpoint.get("getCustomer", "/commerce/customers/:id", {
      params: idOf(StoreCustomerId, "customer"),
      success: StoreCustomer,
      error: read
    }).annotateMerge(
      describe(
        "getStoreCustomer",
        "Read a customer",
        "`linkedBy` says by what the customer was found to be a contact. `conflictContactId` is another contact who may be the same person."
      )
    ),
    HttpApiEndpoint.put("linkCustomer", "/commerce/customers/:id/contact", {
      params: idOf(StoreCustomerId, "customer"),
      payload: Schema.Struct({ contactId: Schema.NullOr(ContactId) }).annotate({ identifier: "CustomerLink" }),
      success: StoreCustomer,
      error: [...read, Problems.ContactExists]
    }).annotateMerge(
      describe(
        "linkStoreCustomer",
        "Say which contact a customer is",
        "`null` says that the customer is nobody. No rule undoes what was said. The contact who was taken for the customer before loses that identity."
      )
    ),
    HttpApiEndpoint.get("listProducts", "/commerce/products", {
      query: ofStore,
      success: Page(Product),
      error: listed
    }).annotateMerge(describe("listProducts", "List products", "Newest first, by when they came to be known.")),
    HttpApiEndpoint.get("getProduct", "/commerce/products/:id", {
      params: idOf(ProductId, "product"),
      success: Product,
      error: read
    }).annotateMerge(describe("getProduct", "Read a product")),
    HttpApiEndpoint.get("ofContact", "/contacts/:id/commerce", {
      params: idOf(ContactId, "contact"),
      ...acrossStores
    }).annotateMerge(
      describe("getContactCommerce", "Read a contact across stores", `${answered} It needs \`contacts.read\`, too.`)
    ),
    HttpApiEndpoint.get("ofConversation", "/conversations/:id/commerce", {
      params: idOf(ConversationId, "conversation"),
      ...acrossStores
    }).annotateMerge(
      describe(
        "getConversationCommerce",
        "Read the contact of a conversation across stores",
        `${answered} It needs \`conversations.read\`, too.`
      )
    )
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Commerce", "Orders, carts, customers and products of the stores. They are changed there.")) {}

const params = idOf(PrivacyRequestId, "privacy request")

/** Privacy requests: requests of shops about personal data of their customers. */
export class PrivacyRequestsApi extends HttpApiGroup.make("privacyRequests")
  .add(
    HttpApiEndpoint.get("list", "/privacy_requests", {
      query: {
        ...PageQuery,
        state: Schema.optionalKey(PrivacyState).annotateKey({ description: "Only requests in this state." })
      },
      success: Page(PrivacyRequest),
      error: [Problems.PermissionDenied, Problems.CursorInvalid]
    }).annotateMerge(describe("listPrivacyRequests", "List privacy requests", "Newest first.")),
    HttpApiEndpoint.get("get", "/privacy_requests/:id", {
      params,
      success: PrivacyRequest,
      error: read
    }).annotateMerge(
      describe(
        "getPrivacyRequest",
        "Read a privacy request",
        "A `data_request` is `ready` once its export can be handed over. `redact_customer` and `redact_shop` are done without anybody; one for a shop that was connected again meanwhile is `ignored`."
      )
    ),
    HttpApiEndpoint.get("export", "/privacy_requests/:id/export", {
      params,
      success: PrivacyExport,
      error: [...read, Problems.PrivacyRequestState]
    }).annotateMerge(
      describe(
        "exportPrivacyRequest",
        "Read what is to be handed over",
        "Everything that is known of the person now: as a customer of the shop, and as a contact. Only of a request that is `ready`."
      )
    ),
    HttpApiEndpoint.post("complete", "/privacy_requests/:id/complete", {
      params,
      success: PrivacyRequest,
      error: [...read, Problems.PrivacyRequestState]
    })
      .annotateMerge(
        describe(
          "completePrivacyRequest",
          "Say that an export was handed over",
          "The request is `done` by that, and whom it was about is forgotten."
        )
      )
      .middleware(Idempotent)
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Privacy requests", "What shops ask about personal data in the name of their customers.")) {}

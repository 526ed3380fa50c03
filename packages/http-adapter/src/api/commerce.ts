import { normalizeForSearch, Page, Timestamp } from "@parley/domain/kernel"
import { MultiLineText } from "@parley/domain/platform"
import { ContactId, isSearchable } from "@parley/domain/crm"
import { ConversationId } from "@parley/domain/messaging"
import {
  Cart,
  CartId,
  CartState,
  ContactCommerce,
  FulfilmentStatus,
  Order,
  OrderId,
  OrderSort,
  PaymentStatus,
  PrivacyRequest,
  PrivacyRequestId,
  PrivacyState,
  Product,
  ProductId,
  StoreConnectionId,
  StoreCustomer,
  StoreCustomerId
} from "@parley/domain/commerce"
import { PrivacyExport } from "@parley/domain/composition"
import { Schema, SchemaGetter } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { area, describe } from "./describe.ts"
import { Idempotent, InOrganization, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { idOf, PageQuery, sortQuery } from "./shapes.ts"

const read = [Problems.PermissionDenied, Problems.NotFound] as const
const listed = [...read, Problems.CursorInvalid] as const

const mostAsked = 120

const askable = "Expected 3 to 120 characters, or 2 of Chinese, Japanese or Korean"

const ofStore = {
  ...PageQuery,
  storeConnectionId: Schema.optionalKey(StoreConnectionId).annotateKey({
    description: "Only resources of this store."
  }),
  updatedSince: Schema.optionalKey(Timestamp).annotateKey({
    description: "Only resources changed at this time or later."
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
      "Part of the name or identifier, ignoring case and accents. At least three characters, or two in Chinese, Japanese or Korean."
  })
}

const ofContact = {
  ...ofStore,
  contactId: Schema.optionalKey(ContactId).annotateKey({ description: "Only resources of this contact." })
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
      description: "Number of orders, 1 to 25. Default: 10."
    })
  },
  success: ContactCommerce,
  error: read
} as const

const answered =
  "Customer profiles, amounts and orders per currency, the latest orders, and open carts. The data is stored in Parley: no store is called, and `stores` shows its age. The answer is empty for contacts without a store."

/** Records of stores: orders, carts, customers and products. */
export class CommerceApi extends HttpApiGroup.make("commerce")
  .add(
    HttpApiEndpoint.get("listOrders", "/commerce/orders", {
      query: {
        ...ofContact,
        q: ofStore.q.annotateKey({
          description:
            "Words of the number, a line, a SKU, a tracking number or the customer, ignoring case and accents. Matches with typing errors follow exact ones. At least three characters, or two in Chinese, Japanese or Korean."
        }),
        paymentStatus: Schema.optionalKey(PaymentStatus).annotateKey({
          description: "Only orders with this payment status."
        }),
        fulfilmentStatus: Schema.optionalKey(FulfilmentStatus).annotateKey({
          description: "Only orders with this fulfillment status."
        }),
        placedFrom: Schema.optionalKey(Timestamp).annotateKey({
          description: "Only orders placed at this time or later."
        }),
        placedTo: Schema.optionalKey(Timestamp).annotateKey({ description: "Only orders placed before this time." }),
        sort: sortQuery(OrderSort, "-createdAt")
      },
      success: Page(Order),
      error: listed
    }).annotateMerge(
      describe("listOrders", "List orders", "`createdAt` is the time when Parley first received an order.")
    ),
    HttpApiEndpoint.get("getOrder", "/commerce/orders/:id", {
      params: idOf(OrderId, "order"),
      success: Order,
      error: read
    }).annotateMerge(
      describe(
        "getOrder",
        "Get an order",
        "`total` is the amount when the order was placed, `currentTotal` the amount after edits and returns. Amounts are in the store's currency; `presentmentTotal` is in the currency shown to the customer."
      )
    ),
    HttpApiEndpoint.get("listCarts", "/commerce/carts", {
      query: {
        ...ofContact,
        state: Schema.optionalKey(CartState).annotateKey({ description: "Only carts in this state." })
      },
      success: Page(Cart),
      error: listed
    }).annotateMerge(describe("listCarts", "List carts", "Newest first, by the time when Parley first received them.")),
    HttpApiEndpoint.get("getCart", "/commerce/carts/:id", {
      params: idOf(CartId, "cart"),
      success: Cart,
      error: read
    }).annotateMerge(describe("getCart", "Get a cart")),
    HttpApiEndpoint.get("listCustomers", "/commerce/customers", {
      query: ofContact,
      success: Page(StoreCustomer),
      error: listed
    }).annotateMerge(
      describe("listStoreCustomers", "List customers", "Newest first, by the time when Parley first received them.")
    ),
    HttpApiEndpoint.get("getCustomer", "/commerce/customers/:id", {
      params: idOf(StoreCustomerId, "customer"),
      success: StoreCustomer,
      error: read
    }).annotateMerge(
      describe(
        "getStoreCustomer",
        "Get a customer",
        "`linkedBy` is the identity that links the customer to a contact. `conflictContactId` is another contact who can be the same person."
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
        "Link a customer to a contact",
        "`null` unlinks the customer. No rule changes a manual link. The previously linked contact loses the identity of the customer."
      )
    ),
    HttpApiEndpoint.get("listProducts", "/commerce/products", {
      query: ofStore,
      success: Page(Product),
      error: listed
    }).annotateMerge(
      describe("listProducts", "List products", "Newest first, by the time when Parley first received them.")
    ),
    HttpApiEndpoint.get("getProduct", "/commerce/products/:id", {
      params: idOf(ProductId, "product"),
      success: Product,
      error: read
    }).annotateMerge(describe("getProduct", "Get a product")),
    HttpApiEndpoint.get("ofContact", "/contacts/:id/commerce", {
      params: idOf(ContactId, "contact"),
      ...acrossStores
    }).annotateMerge(
      describe(
        "getContactCommerce",
        "Get the commerce data of a contact",
        `${answered} It also needs \`contacts.read\`.`
      )
    ),
    HttpApiEndpoint.get("ofConversation", "/conversations/:id/commerce", {
      params: idOf(ConversationId, "conversation"),
      ...acrossStores
    }).annotateMerge(
      describe(
        "getConversationCommerce",
        "Get the commerce data of a conversation",
        `${answered} It also needs \`conversations.read\`.`
      )
    )
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Commerce", "Orders, carts, customers and products of the stores, read-only.")) {}

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
        "Get a privacy request",
        "A `data_request` is `ready` when its export can be downloaded. `redact_customer` and `redact_shop` are executed automatically; a request for a shop that was connected again in between is `ignored`."
      )
    ),
    HttpApiEndpoint.get("export", "/privacy_requests/:id/export", {
      params,
      success: PrivacyExport,
      error: [...read, Problems.PrivacyRequestStatusInvalid]
    }).annotateMerge(
      describe(
        "exportPrivacyRequest",
        "Export the data of a privacy request",
        "All current data about the person, as a customer of the shop and as a contact, with the requested orders. Only for requests that are `ready`."
      )
    ),
    HttpApiEndpoint.post("complete", "/privacy_requests/:id/complete", {
      params,
      success: PrivacyRequest,
      error: [...read, Problems.PrivacyRequestStatusInvalid]
    })
      .annotateMerge(
        describe(
          "completePrivacyRequest",
          "Complete a privacy request",
          "The request is `done`, and the personal data in it is deleted."
        )
      )
      .middleware(Idempotent)
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Privacy requests", "Requests of shops about personal data of their customers.")) {}

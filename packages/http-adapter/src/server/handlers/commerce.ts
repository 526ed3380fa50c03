import {
  type CommerceQuery,
  completePrivacyRequest,
  exportPrivacyRequest,
  getCart,
  getContactCommerce,
  getConversationCommerce,
  getOrder,
  getPrivacyRequest,
  getProduct,
  getStoreCustomer,
  linkStoreCustomer,
  listCarts,
  listOrders,
  listPrivacyRequests,
  listProducts,
  listStoreCustomers
} from "@parley/domain"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { pageOf } from "../../api/shapes.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"
import { withFaultPointers } from "../faults.ts"
import { inQuery } from "./contacts.ts"

type Asked = { readonly [Name in keyof CommerceQuery]?: Exclude<CommerceQuery[Name], null> }

const asked = ({ contactId, q, storeConnectionId, updatedSince }: Asked): CommerceQuery => ({
  storeConnectionId: storeConnectionId ?? null,
  contactId: contactId ?? null,
  updatedSince: updatedSince ?? null,
  q: q ?? null
})

const usualOrders = 10

export const layerCommerce = HttpApiBuilder.group(Api, "commerce", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    listOrders: ({ query }) =>
      listOrders(
        {
          ...asked(query),
          paymentStatus: query.paymentStatus ?? null,
          fulfilmentStatus: query.fulfilmentStatus ?? null
        },
        pageOf(query)
      ).pipe(withFaultPointers(inQuery)),
    getOrder: ({ params }) => getOrder(params.id),
    listCarts: ({ query }) =>
      listCarts({ ...asked(query), state: query.state ?? null }, pageOf(query)).pipe(withFaultPointers(inQuery)),
    getCart: ({ params }) => getCart(params.id),
    listCustomers: ({ query }) => listStoreCustomers(asked(query), pageOf(query)).pipe(withFaultPointers(inQuery)),
    getCustomer: ({ params }) => getStoreCustomer(params.id),
    linkCustomer: ({ params, payload }) => linkStoreCustomer(params.id, payload.contactId),
    listProducts: ({ query }) => listProducts(asked(query), pageOf(query)).pipe(withFaultPointers(inQuery)),
    getProduct: ({ params }) => getProduct(params.id),
    ofContact: ({ params, query }) => getContactCommerce(params.id, query.orders ?? usualOrders),
    ofConversation: ({ params, query }) => getConversationCommerce(params.id, query.orders ?? usualOrders)
  })
)

export const layerPrivacyRequests = HttpApiBuilder.group(Api, "privacyRequests", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ query: { state, ...page } }) => listPrivacyRequests(state ?? null, pageOf(page)),
    get: ({ params }) => getPrivacyRequest(params.id),
    export: ({ params }) => exportPrivacyRequest(params.id),
    complete: ({ params }) => completePrivacyRequest(params.id)
  })
)

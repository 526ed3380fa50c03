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

export const layerCommerce = HttpApiBuilder.group(Api, "commerce", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    listOrders: ({ query }) =>
      listOrders({
        ...asked(query),
        paymentStatus: query.paymentStatus ?? null,
        fulfilmentStatus: query.fulfilmentStatus ?? null,
        page: pageOf(query)
      }).pipe(withFaultPointers(inQuery)),
    getOrder: ({ params }) => getOrder(params),
    listCarts: ({ query }) =>
      listCarts({ ...asked(query), state: query.state ?? null, page: pageOf(query) }).pipe(withFaultPointers(inQuery)),
    getCart: ({ params }) => getCart(params),
    listCustomers: ({ query }) =>
      listStoreCustomers({ ...asked(query), page: pageOf(query) }).pipe(withFaultPointers(inQuery)),
    getCustomer: ({ params }) => getStoreCustomer(params),
    linkCustomer: ({ params, payload }) => linkStoreCustomer({ ...params, ...payload }),
    listProducts: ({ query }) =>
      listProducts({ ...asked(query), page: pageOf(query) }).pipe(withFaultPointers(inQuery)),
    getProduct: ({ params }) => getProduct(params),
    ofContact: ({ params, query }) => getContactCommerce({ ...params, ...query }),
    ofConversation: ({ params, query }) => getConversationCommerce({ ...params, ...query })
  })
)

export const layerPrivacyRequests = HttpApiBuilder.group(Api, "privacyRequests", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ query }) => listPrivacyRequests({ ...query, page: pageOf(query) }),
    get: ({ params }) => getPrivacyRequest(params),
    export: ({ params }) => exportPrivacyRequest(params),
    complete: ({ params }) => completePrivacyRequest(params)
  })
)

import {
  completePrivacyRequest,
  getPrivacyRequest,
  listPrivacyRequests,
  PrivacyRequest,
  PrivacyRequestId
} from "@parley/domain/commerce"
import { exportPrivacyRequest } from "@parley/domain/composition"
import { PrivacyRequestsApi } from "../../../api/commerce.ts"
import { at, contact, samplePage } from "../../examples/samples.ts"
import { customer, order, storeConnectionId } from "../../examples/stores.ts"
import { bind } from "../bind.ts"

const privacyRequest = new PrivacyRequest({
  id: PrivacyRequestId.make("01934c17-1a2b-7c3d-8e4f-50617283a4b5"),
  storeConnectionId,
  kind: "data_request",
  contactId: contact.id,
  state: "ready",
  receivedAt: at("13:00:00.000"),
  dueAt: at("13:00:00.000"),
  doneAt: null,
  reason: null,
  counts: { customers: 1, orders: 1, contacts: 1 },
  createdAt: at("13:00:00.000"),
  updatedAt: at("13:00:01.000")
})

export const privacyRequests = bind(PrivacyRequestsApi, {
  list: { runs: listPrivacyRequests, response: samplePage(privacyRequest) },
  get: { runs: getPrivacyRequest, response: privacyRequest },
  export: {
    runs: exportPrivacyRequest,
    response: { privacyRequest, customers: [customer], orders: [order], contact: null, complete: true }
  },
  complete: {
    runs: completePrivacyRequest,
    response: new PrivacyRequest({
      ...privacyRequest,
      state: "done",
      doneAt: at("15:00:00.000"),
      updatedAt: at("15:00:00.000")
    })
  }
})

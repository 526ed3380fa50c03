import { Context } from "effect"

/** What the answer's edge has to know of a request, written down on the way in. */
export interface Exchange {
  readonly requestId: string
  organizationId: string | null
  actor: string | null
  rateLimit: { readonly policy: string; readonly state: string } | null
}

/** A fresh record for a request. */
export const makeExchange = (requestId: string): Exchange => ({
  requestId,
  organizationId: null,
  actor: null,
  rateLimit: null
})

/** The record of the request at hand. */
export const CurrentExchange = Context.Reference<Exchange>("@parley/http-adapter/Exchange", {
  defaultValue: () => makeExchange("")
})

import { Effect, Redacted, Result } from "effect"
import { HttpServerResponse } from "effect/http"
import { problemCode } from "@parley/domain/kernel"
import { receiveStoreCallback, returnWithCode, returnWithResult } from "@parley/domain/commerce"
import { StoreCallbacksApi } from "../../../api/storeConnections.ts"
import { acceptsType } from "../../contentNegotiation.ts"
import { organization } from "../../examples/samples.ts"
import { journeyCode, storeConnectionId } from "../../examples/stores.ts"
import { plainParameters } from "../../requestParts.ts"
import { bindWith } from "../bind.ts"

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

const escaped = (text: string) => text.replaceAll(/[&<>"']/gu, (character) => entities[character] ?? "")

/** Page with a one-time code to paste. It names the organization, because a shop owner must not forward the code of another person's journey. */
const storeCodePage = (organization: string, code: Redacted.Redacted) =>
  HttpServerResponse.html(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Connect a store</title><h1>Almost done</h1><p>The shop agreed. Enter this code where you started to connect it, within ten minutes. The store then belongs to <strong>${escaped(organization)}</strong>.</p><pre>${escaped(Redacted.value(code))}</pre><p>Did you not start this yourself? Then close this page and do not share the code. Without the code, Parley connects nothing.</p></html>`
  ).pipe(HttpServerResponse.setHeaders({ "cache-control": "no-store", "referrer-policy": "no-referrer" }))

const seeOther = (address: string) => HttpServerResponse.redirect(address, { status: 303 })

export const storeCallbacks = bindWith(
  StoreCallbacksApi,
  {
    receive: {
      uses: receiveStoreCallback,
      response: {
        storeConnectionId,
        result: "authorized",
        code: journeyCode,
        organization: { id: organization.id, name: organization.name }
      }
    }
  },
  (handlers) =>
    handlers.handleAll({
      receive: Effect.fnUntraced(function* ({ query, request }) {
        const { code, organization, returnTo, storeConnectionId } = yield* receiveStoreCallback(plainParameters(query))
        if (returnTo !== null) {
          return Result.match(code, {
            onSuccess: (parked) => seeOther(returnWithCode(returnTo, parked)),
            onFailure: ({ _tag }) => seeOther(returnWithResult(returnTo, problemCode(_tag), storeConnectionId))
          })
        }
        const parked = yield* Effect.fromResult(code)
        return acceptsType(request.headers.accept, "text/html")
          ? storeCodePage(organization.name, parked)
          : { storeConnectionId, result: "authorized" as const, code: parked, organization }
      })
    })
)

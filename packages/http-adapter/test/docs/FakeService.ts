import { NodeHttpServer } from "@effect/platform-node"
import { entitlementsOf, type PlanName } from "@parley/domain"
import { DateTime, Effect, Layer } from "effect"
import { HttpRouter, HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import { createServer } from "node:http"
import { openApi } from "../../src/api/openApi.ts"
import * as Docs from "../../src/server/docs/index.ts"

const nextMonth = DateTime.makeUnsafe("2026-12-01T00:00:00Z")

const user = {
  id: "01934f6e-8c2b-7d10-9f3a-5b1c2d3e4f50",
  email: "ada@example.com",
  name: "Ada Lovelace",
  avatarUrl: "https://elsewhere.example/ada.png",
  status: "active",
  createdAt: "2026-01-05T08:00:00.000Z"
}

const organizationOn = (plan: PlanName) => ({
  id: "01934f6e-8c2c-7a41-8d6e-0f9a8b7c6d5e",
  name: "Acme Retail",
  slug: "acme-retail",
  plan,
  timezone: "Europe/Berlin",
  locale: "en",
  currency: "EUR",
  status: "active",
  createdAt: "2026-01-05T08:00:00.000Z",
  version: 3
})

const usage = { seats: 3, contacts: 412, chatAccounts: 1, storeConnections: 0, broadcastRecipientsPerMonth: 730 }

const problem = (status: number, code: string, title: string, detail: string, more: object = {}) =>
  HttpServerResponse.jsonUnsafe(
    { type: `/docs#problem/${code}`, title, status, detail, code, requestId: "req_test", ...more },
    { status, contentType: "application/problem+json" }
  )

const codeInvalid = problem(
  400,
  "docs_code_invalid",
  "The code is not valid",
  "The code is not valid, or not any more. Ask for a new one."
)

const acceptInvitation = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const { name, password, token } = (yield* request.json) as Record<string, string>
  if (token !== "good-invitation") {
    return problem(400, "invitation_invalid", "The invitation is not valid", "Ask for a new invitation.")
  }
  if (password === "password") {
    return problem(400, "validation_failed", "The request has faults", "The request has a fault.", {
      errors: [{ pointer: "/password", message: "Expected a password that is not on every list" }]
    })
  }
  const person = { ...user, email: "grace@example.com", name }
  return HttpServerResponse.jsonUnsafe(
    { user: person, member: {}, organizationId: organizationOn("free").id },
    { status: 201 }
  )
}).pipe(Effect.orDie)

/** What the site asks of the service, answered as the contract says: a stand-in for a service with one reader. */
export const makeFakeService = (plan: PlanName) => {
  const codes = new Set<string>()
  const exchanged: Array<string> = []
  const organization = organizationOn(plan)

  const exchange = Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { code = "" } = (yield* request.json) as { readonly code?: string }
    exchanged.push(code)
    if (!codes.delete(code)) return codeInvalid
    const expiresAt = new Date(Date.now() + 600_000).toISOString()
    return HttpServerResponse.jsonUnsafe({ sessionToken: "docs-session", expiresAt, user, organization })
  }).pipe(Effect.orDie)

  const session = Effect.map(HttpServerRequest.HttpServerRequest, (request) =>
    request.headers["authorization"] === "Bearer docs-session"
      ? HttpServerResponse.jsonUnsafe({ user, organization, entitlements: entitlementsOf(plan, usage, nextMonth) })
      : problem(401, "token_invalid", "The token is not valid", "The token is not valid here.")
  )

  const routes = Layer.mergeAll(
    Docs.layer,
    HttpRouter.add("GET", "/openapi.json", HttpServerResponse.jsonUnsafe(openApi("http://127.0.0.1:8787"))),
    HttpRouter.add("POST", "/api/v1/docs/exchange", exchange),
    HttpRouter.add("GET", "/api/v1/docs/session", session),
    HttpRouter.add("POST", "/api/v1/auth/invitations/accept", acceptInvitation)
  )

  const layer = HttpRouter.serve(routes, { disableLogger: true, disableListenLog: true }).pipe(
    Layer.provideMerge(NodeHttpServer.layer(createServer, { host: "127.0.0.1", port: 0 }))
  )

  const newCode = Effect.sync(() => {
    const code = `code-${codes.size + exchanged.length}-Zq3_x`
    codes.add(code)
    return code
  })

  return { layer, newCode, exchanged, user, organization }
}

/** Where the server of the context is reached. */
export const addressOf = Effect.map(HttpServer.HttpServer, ({ address }) => HttpServer.formatAddress(address))

import {
  ChannelRefused,
  type NumberSignup,
  SignupCodeRefused,
  type SignupResult,
  type SignupSession
} from "@parley/domain/messaging"
import { Effect, Redacted } from "effect"
import { HttpClientRequest } from "effect/http"
import { idAt, textAt } from "../../json.ts"
import type * as Graph from "./Graph.ts"

const noApp = new ChannelRefused({
  remedy: "give_up",
  code: 101,
  reason: "No app is configured that signups go through.",
  retryAfterMillis: null
})

/** Error code for a code that is expired, used or of another app. */
const badCode = 100

const finishes: ReadonlyMap<string, { readonly isCoexistence: boolean }> = new Map([
  ["FINISH", { isCoexistence: false }],
  ["FINISH_ONLY_WABA", { isCoexistence: false }],
  ["FINISH_WHATSAPP_BUSINESS_APP_ONBOARDING", { isCoexistence: true }]
])

const digits = /^\d{1,64}$/u

const invalidAt = (pointer: string, message: string): SignupResult => ({ kind: "invalid", pointer, message })

/** Reads the session event of an Embedded Signup. */
export const readSession = (session: SignupSession): SignupResult => {
  if (textAt(session, "type") !== "WA_EMBEDDED_SIGNUP") return invalidAt("/type", "Expected WA_EMBEDDED_SIGNUP")
  const event = textAt(session, "event") ?? ""
  if (event === "CANCEL") {
    return {
      kind: "cancelled",
      step: textAt(session, "data", "current_step"),
      shownError: textAt(session, "data", "error_message"),
      errorId: idAt(session, "data", "error_id")
    }
  }
  const finish = finishes.get(event)
  if (finish === undefined) return invalidAt("/event", `Expected ${[...finishes.keys(), "CANCEL"].join(", ")}`)
  const externalAccountId = idAt(session, "data", "waba_id")
  if (externalAccountId === null || !digits.test(externalAccountId)) {
    return invalidAt("/data/waba_id", "Expected the id of the business account")
  }
  const externalPhoneId = idAt(session, "data", "phone_number_id")
  if (externalPhoneId !== null && !digits.test(externalPhoneId)) {
    return invalidAt("/data/phone_number_id", "Expected the id of the number")
  }
  return { kind: "finished", externalAccountId, externalPhoneId, isCoexistence: finish.isCoexistence }
}

/** Signup of numbers through the app of the settings. */
export const makeSignup = (graph: Graph.Graph["Service"]): NumberSignup => {
  const { app, root } = graph.settings
  return {
    exchangeCode: (code) =>
      app === null
        ? Effect.fail(noApp)
        : graph
            .ask(
              HttpClientRequest.get(`${root}/oauth/access_token`, {
                urlParams: {
                  client_id: app.appId,
                  client_secret: Redacted.value(app.appSecret),
                  code: Redacted.value(code)
                }
              }),
              [app.appSecret, code],
              (body) => {
                const token = textAt(body, "access_token")
                return token === null ? null : Redacted.make(token)
              }
            )
            .pipe(
              Effect.mapError((error) =>
                error._tag === "ChannelRefused" && error.code === badCode
                  ? new SignupCodeRefused({ providerCode: error.code, reason: error.reason })
                  : error
              )
            ),
    readSession
  }
}

import { Effect } from "effect"
import type { Timeline } from "../../Timeline.ts"
import { refusePlainly } from "../checks.ts"
import type { World } from "../World.ts"
import type { Token } from "../world/tokens.ts"
import { type Access, tokenOf } from "./access.ts"
import { type Call, parametersOf, type Scripted, success } from "./Call.ts"
import type { Verification } from "./callbacks.ts"
import { webhookFields } from "./webhookFields.ts"

/** Codes of a signup are valid for 30 seconds. */
const codeLifeMillis = 30_000

/** Exchanges codes, describes tokens, and subscribes the app. */
export const makeSignup = (
  world: World,
  timeline: Timeline,
  access: Access,
  scripted: Scripted,
  verification: Verification
) => {
  const exchange = (query: URLSearchParams): object => {
    const value = query.get("code") ?? ""
    const code = world.signupCodes.get(value)
    if (query.get("client_id") !== world.app.appId || query.get("client_secret") !== world.app.appSecret) {
      return refusePlainly(1, "Error validating client secret.")
    }
    if (query.get("grant_type") === "client_credentials") {
      return { access_token: `${world.app.appId}|${world.app.appSecret}`, token_type: "bearer" }
    }
    if (code === undefined) {
      return refusePlainly(100, "This authorization code has been used.", 36_009)
    }
    world.signupCodes.delete(value)
    if (timeline.now() - code.issuedAt > codeLifeMillis) {
      return refusePlainly(100, "This authorization code has expired.", 36_007)
    }
    return { access_token: code.token, token_type: "bearer" }
  }

  const seconds = (millis: number | null) => (millis === null ? 0 : Math.floor(millis / 1_000))

  const described = (token: Token) => ({
    app_id: token.appId,
    type: "SYSTEM_USER",
    application: "Parley",
    expires_at: seconds(token.expiresAt),
    is_valid: world.tokens.isValid(token),
    issued_at: seconds(token.issuedAt),
    scopes: token.scopes,
    granular_scopes: token.scopes.map((scope) => ({ scope, target_ids: [...token.businesses] })),
    user_id: "122100000000000001"
  })

  const debugToken = (call: Call): object => {
    const caller = tokenOf(call.request) || (call.query.get("access_token") ?? "")
    if (!access.isAppToken(caller)) access.tokenFor(call)
    const token = world.tokens.get(call.query.get("input_token") ?? "")
    return {
      data:
        token === undefined
          ? { error: { code: 190, message: "Invalid OAuth access token." }, is_valid: false, scopes: [] }
          : described(token)
    }
  }

  const subscribeApp = Effect.fnUntraced(function* (call: Call) {
    const caller = tokenOf(call.request) || (call.query.get("access_token") ?? "")
    if (!access.isAppToken(caller) || call.id !== world.app.appId) {
      return refusePlainly(15, "(#15) This method must be called with an app access_token.")
    }
    const fields = yield* parametersOf(call)
    const { callback_url: url, fields: named, object, verify_token: verifyToken } = fields
    if (object !== "whatsapp_business_account" || typeof url !== "string" || typeof verifyToken !== "string") {
      return refusePlainly(100, "(#100) The parameters object, callback_url and verify_token are required.")
    }
    const names = (Array.isArray(named) ? named.map(String) : String(named ?? "").split(","))
      .map((name) => name.trim())
      .filter((name) => name !== "")
    const unknown = names.find((name) => !webhookFields.has(name))
    if (unknown !== undefined) return refusePlainly(100, `(#100) Param fields has the unknown field ${unknown}.`)
    if (!(yield* verification.verify(url, verifyToken))) {
      return refusePlainly(2_200, "(#2200) Callback verification failed: the callback did not return the challenge.")
    }
    world.defaultWebhook = {
      url,
      appSecret: world.app.appSecret,
      ...(names.length === 0 ? {} : { fields: names })
    }
    return success
  })

  return {
    exchange: (call: Call) => scripted("signup", call, () => exchange(call.query)),
    debugToken: (call: Call) => scripted("signup", call, () => debugToken(call)),
    app: (call: Call) =>
      scripted("signup", call, () => {
        const { appId } = access.tokenFor(call)
        return { name: appId === world.app.appId ? "Parley" : "Own app", id: appId }
      }),
    subscribeApp: (call: Call) => Effect.flatMap(subscribeApp(call), (answer) => scripted("signup", call, () => answer))
  }
}
export type Signup = ReturnType<typeof makeSignup>

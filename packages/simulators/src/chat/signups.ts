import { Schema } from "effect"
import type { Timeline } from "../Timeline.ts"
import type { Events } from "./events.ts"
import type { World } from "./World.ts"

/** A customer goes through Embedded Signup. */
export const Signup = Schema.Struct({
  businessId: Schema.String,
  accessToken: Schema.String,
  code: Schema.String,
  /** Number of the signup. Absent: the flow ends without a number, or grants access to a number that exists. */
  phoneId: Schema.optionalKey(Schema.String),
  displayPhone: Schema.optionalKey(Schema.String),
  verifiedName: Schema.optionalKey(Schema.String),
  /** Default: verified. */
  stage: Schema.optionalKey(Schema.Literals(["verified", "unverified", "coexistence"])),
  /** Default: the token does not expire. */
  tokenLifeMillis: Schema.optionalKey(Schema.Finite)
})
export type Signup = typeof Signup.Type

/** Message that the browser gets at the end of a signup. */
export interface SessionInfo {
  readonly type: "WA_EMBEDDED_SIGNUP"
  readonly event: "FINISH" | "FINISH_ONLY_WABA" | "FINISH_WHATSAPP_BUSINESS_APP_ONBOARDING"
  readonly data: Readonly<Record<string, unknown>>
}

const eventOf = ({ phoneId, stage }: Signup): SessionInfo["event"] => {
  if (phoneId === undefined) return "FINISH_ONLY_WABA"
  return stage === "coexistence" ? "FINISH_WHATSAPP_BUSINESS_APP_ONBOARDING" : "FINISH"
}

/** Signups: the number is verified, but neither registered nor subscribed. */
export const makeSignups = (world: World, timeline: Timeline, events: Events) => {
  const addCode = (code: string, businessId: string, accessToken: string) => {
    world.tokens.grant(accessToken, businessId)
    world.signupCodes.set(code, { token: accessToken, issuedAt: timeline.now() })
  }

  return {
    addCode,
    signUp: (signup: Signup): SessionInfo => {
      const { accessToken, businessId, code, displayPhone, phoneId, stage = "verified", tokenLifeMillis } = signup
      const account = world.accountOf(businessId, false)
      if (phoneId !== undefined && !world.numbers.has(phoneId)) {
        world.addNumber(
          {
            phoneId,
            businessId,
            displayPhone: displayPhone ?? "15550109999",
            accessToken,
            ...(signup.verifiedName === undefined ? {} : { verifiedName: signup.verifiedName })
          },
          stage
        )
      }
      addCode(code, businessId, accessToken)
      const token = world.tokens.get(accessToken)
      if (token !== undefined && tokenLifeMillis !== undefined) token.expiresAt = timeline.now() + tokenLifeMillis
      events.partner("PARTNER_ADDED", account)
      return {
        type: "WA_EMBEDDED_SIGNUP",
        event: eventOf(signup),
        data: {
          ...(phoneId === undefined ? {} : { phone_number_id: phoneId }),
          waba_id: businessId,
          business_id: account.ownerId,
          ad_account_ids: [],
          page_ids: [],
          dataset_ids: []
        }
      }
    }
  }
}
export type Signups = ReturnType<typeof makeSignups>

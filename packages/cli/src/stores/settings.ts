import { MakeContacts } from "@parley/domain"
import { wholeNumber } from "@parley/service/configuration"
import { Option } from "effect"
import { Flag } from "effect/cli"
import { typedFlag } from "../console/typed.ts"

/** What is said of a store. */
export const settingFlags = {
  makeContacts: Flag.Literals("make-contacts", MakeContacts.literals).pipe(
    Flag.withDescription("Of which customers contacts are made"),
    Flag.optional
  ),
  takeConsent: Flag.Literals("take-consent", ["yes", "no"]).pipe(
    Flag.withDescription("Whether what customers agree to in the store counts here"),
    Flag.optional
  ),
  abandonedAfter: typedFlag("cart-abandoned-after", wholeNumber(15, 10_080)).pipe(
    Flag.withMetavar("minutes"),
    Flag.withDescription("After how many silent minutes a cart is abandoned"),
    Flag.optional
  )
}

type Said<F> = { readonly [Name in keyof F]: F[Name] extends Flag.Flag<infer A> ? A : never }

/** The same as the contract has it. */
export const settingsOf = ({ abandonedAfter, makeContacts, takeConsent }: Said<typeof settingFlags>) => ({
  ...(Option.isSome(makeContacts) && { makeContacts: makeContacts.value }),
  ...(Option.isSome(takeConsent) && { takeConsent: takeConsent.value === "yes" }),
  ...(Option.isSome(abandonedAfter) && { cartAbandonedAfterMinutes: abandonedAfter.value })
})

import { Effect } from "effect"
import { type Fields, objectAt, refusePlainly, textAt } from "../checks.ts"
import type { Timeline } from "../../Timeline.ts"
import type { World } from "../World.ts"
import { type AccountState, hasRestriction } from "../world/AccountState.ts"
import type { Access } from "./access.ts"
import { type Call, type Handler, parametersOf, type Scripted, success } from "./Call.ts"
import type { Verification } from "./callbacks.ts"
import { pageOf, selectFields } from "./fields.ts"
import type { Health } from "./health.ts"
import type { Numbers } from "./numbers.ts"

const appName = "Parley"

/** Business accounts: their fields, numbers and webhook subscription. */
export const makeAccounts = (
  world: World,
  timeline: Timeline,
  access: Access,
  scripted: Scripted,
  health: Health,
  numbers: Numbers,
  verification: Verification
) => {
  const fieldsOf = (account: AccountState): Readonly<Record<string, () => unknown>> => ({
    id: () => account.id,
    name: () => account.name,
    timezone_id: () => account.timezoneId,
    currency: () => account.currency,
    country: () => account.country,
    account_review_status: () => account.reviewStatus,
    business_verification_status: () => account.businessVerification,
    ownership_type: () => "CLIENT_OWNED",
    primary_business_location: () => account.country,
    status: () => (account.banState === "DISABLE" ? "DISABLED" : "ACTIVE"),
    message_template_namespace: () => `namespace_${account.id}`,
    is_enabled_for_insights: () => account.isInsightsEnabled,
    marketing_messages_onboarding_status: () => account.marketingOnboarding,
    marketing_messages_lite_api_status: () => account.marketingOnboarding,
    whatsapp_business_manager_messaging_limit: () => account.messagingLimit,
    owner_business_info: () => ({ id: account.ownerId, name: account.name }),
    on_behalf_of_business_info: () => undefined,
    health_status: () => health.ofAccount(account),
    phone_numbers: () => ({ data: numbers.ofAccount(account.id).map((number) => numbers.read(number, null)) }),
    message_templates: () => ({
      data: [...world.templates.values()]
        .filter(({ businessId }) => businessId === account.id)
        .map(({ id }) => ({ id }))
    }),
    ...Object.fromEntries(
      ["pricing_analytics", "analytics", "conversation_analytics", "call_analytics", "group_analytics"].map((name) => [
        name,
        () => ({ data: [{ data_points: [] }] })
      ])
    )
  })

  const read = (call: Call, account: AccountState) =>
    selectFields("WhatsAppBusinessAccount", fieldsOf(account), call.query.get("fields"), [
      "name",
      "timezone_id",
      "message_template_namespace"
    ])

  const requireSubscription = ({ subscription }: AccountState) => {
    if (subscription !== null) return
    refusePlainly(
      100,
      "(#100) Before override the current callback uri, your app must be subscribed to receive messages for WhatsApp Business Account"
    )
  }

  const shownSubscription = ({ subscription }: AccountState): object => ({
    data:
      subscription === null
        ? []
        : [
            {
              whatsapp_business_api_data: {
                id: world.app.appId,
                link: `https://www.facebook.com/games/?app_id=${world.app.appId}`,
                name: appName
              },
              ...(subscription.override === null ? {} : { override_callback_uri: subscription.override.url })
            }
          ]
  })

  const addNumber = (account: AccountState, fields: Fields): object => {
    const countryCode = textAt(fields["cc"], "cc", 4)
    const national = textAt(fields["phone_number"], "phone_number", 20)
    const verifiedName = textAt(fields["verified_name"], "verified_name", 128)
    const displayPhone = (
      national.startsWith(countryCode) && national.length > 10 ? national : `${countryCode}${national}`
    ).replaceAll(/\D/gu, "")
    if (hasRestriction(account, "RESTRICTED_ADD_PHONE_NUMBER_ACTION", timeline.now())) {
      refusePlainly(368, "(#368) The account cannot add phone numbers at present.")
    }
    if ([...world.numbers.values()].some((number) => number.displayPhone === displayPhone)) {
      refusePlainly(100, "(#100) The phone number is already in use.")
    }
    if (numbers.ofAccount(account.id).length >= account.maxPhoneNumbers) {
      refusePlainly(100, "(#100) The account has reached its limit of phone numbers.")
    }
    const phoneId = String(600_000_000_000_000 + world.next())
    world.addNumber({ phoneId, businessId: account.id, displayPhone, verifiedName, accessToken: "" }, "unverified")
    return { id: phoneId }
  }

  const listNumbers = (call: Call, account: AccountState): object => {
    const all = numbers.ofAccount(account.id)
    const sorted = (call.query.get("sort") ?? "").includes("last_onboarded_time_ascending")
      ? all.toSorted((one, other) => world.stateOf(one).onboardedAt - world.stateOf(other).onboardedAt)
      : all
    const fields = call.query.get("fields")
    return pageOf(
      sorted,
      call.query,
      `${call.origin}${call.version === "" ? "" : `/${call.version}`}/${account.id}/phone_numbers`,
      (number) => numbers.read(number, fields)
    )
  }

  const onAccount =
    (perform: (account: AccountState, call: Call) => object): Handler =>
    (call) =>
      Effect.suspend(() => {
        const account = access.requireAccount(call)
        return scripted("accounts", call, () => perform(account, call))
      })

  return {
    read: onAccount((account, call) => read(call, account)),
    update: (call: Call) =>
      Effect.gen(function* () {
        const account = access.requireAccount(call)
        const fields = yield* parametersOf(call)
        return yield* scripted("accounts", call, () => {
          if (String(fields["is_enabled_for_insights"]) !== "true") return success
          account.isInsightsEnabled = true
          return { id: Number(account.id) }
        })
      }),
    listNumbers: onAccount((account, call) => listNumbers(call, account)),
    addNumber: (call: Call) =>
      Effect.gen(function* () {
        const account = access.requireAccount(call)
        const fields = yield* parametersOf(call)
        return yield* scripted("numbers", call, () => addNumber(account, fields))
      }),
    subscribe: (call: Call) =>
      Effect.gen(function* () {
        const account = access.requireAccount(call)
        const fields = objectAt(yield* parametersOf(call), "request")
        if (fields["override_callback_uri"] !== undefined) requireSubscription(account)
        const override = yield* verification.overrideIn(fields)
        return yield* scripted("accounts", call, () => {
          account.subscription = { override }
          return success
        })
      }),
    subscriptions: onAccount((account) => shownSubscription(account)),
    unsubscribe: onAccount((account) => {
      account.subscription = null
      return success
    }),
    /** Accounts of a portfolio that the token can use. */
    ofBusiness: (call: Call) =>
      Effect.suspend(() => {
        const token = access.tokenFor(call)
        const accounts = [...token.businesses]
          .map((id) => world.accountOf(id, false))
          .filter(({ ownerId }) => call.id === ownerId || call.id === world.partnerId)
        return scripted("accounts", call, () =>
          pageOf(
            accounts,
            call.query,
            `${call.origin}/${call.id}/${call.edge}`,
            ({ currency, id, name, timezoneId }) => ({
              id,
              name,
              currency,
              timezone_id: timezoneId
            })
          )
        )
      }),
    isBusiness: (id: string) =>
      id === world.partnerId || [...world.accounts.values()].some(({ ownerId }) => ownerId === id)
  }
}
export type Accounts = ReturnType<typeof makeAccounts>

import type { RunningChatSimulator } from "@parley/simulators/chat"
import { Effect } from "effect"
import { at, valuesOf } from "../harness.ts"
import { createTemplate, fact, post, type Request, request, uploadExample, uploadFile } from "./grounds.ts"

/** Values that a request names: ids in its path, and texts in its query and body. */
export interface Prepared {
  readonly path: Readonly<Record<string, string>>
  readonly texts: ReadonlyMap<string, string>
}

type Preparation = (provider: RunningChatSimulator, request: Request) => Effect.Effect<Partial<Prepared>>

const nothing: Preparation = () => Effect.succeed({})

const once = (path: Readonly<Record<string, string>>): Partial<Prepared> => ({ path })

const withTemplate =
  (name: string, more: Readonly<Record<string, unknown>> = {}, event?: string): Preparation =>
  (provider) =>
    Effect.map(createTemplate(provider, name, more, event), (id) => once({ template_id: id }))

const stage =
  (name: "verified" | "unverified" | "coexistence"): Preparation =>
  (provider) =>
    Effect.sync(() => {
      provider.addNumber(
        {
          phoneId: fact.phoneId,
          businessId: fact.businessId,
          displayPhone: fact.displayPhone,
          accessToken: fact.token
        },
        name
      )
      return {}
    })

const before =
  (path: string, body: unknown): Preparation =>
  (provider) =>
    Effect.as(post(provider, path, body), {})

const profile = { messaging_product: "whatsapp", about: "Succulents", address: "1 Hacker Way", description: "Plants" }

const saveProfile: Preparation = Effect.fnUntraced(function* (provider) {
  yield* post(provider, `/${fact.phoneId}/whatsapp_business_profile`, {
    ...profile,
    email: "lucky@luckyshrub.com",
    websites: ["https://www.luckyshrub.com/"],
    vertical: "RETAIL",
    profile_picture_handle: yield* uploadExample(provider, "IMAGE")
  })
  return {}
})

/** Only official business accounts have groups. */
const official: Preparation = (provider) =>
  Effect.sync(() => {
    provider.act({ act: "set_number", phoneId: fact.phoneId, isOfficial: true })
    return {}
  })

const group: Preparation = (provider) =>
  Effect.sync(() => {
    const id = provider.act({ act: "create_group", phoneId: fact.phoneId, subject: "New arrivals" }) ?? ""
    provider.act({ act: "join_group", phoneId: fact.phoneId, customer: fact.customer, groupId: id })
    const texts = new Map([["Y2FwaV9ncm91cDoxNzA1NTU1MDEzOToxMjAzNjM0MDQ2OTQyMzM4MjAZD", id]])
    return { path: { group_id: id }, texts }
  })

const qrCode: Preparation = (provider) =>
  Effect.map(
    post(provider, `/${fact.phoneId}/message_qrdls`, { prefilled_message: "Cyber Monday", generate_qr_image: "SVG" }),
    ({ body }) => {
      const code = String(at(body, "code"))
      return { path: { qr_code: code }, texts: new Map([["4O4YGZEG3RIVE2", code]]) }
    }
  )

const flow =
  (isPublished: boolean): Preparation =>
  (provider) =>
    Effect.gen(function* () {
      const { body } = yield* post(provider, `/${fact.businessId}/flows`, { name: "booking", categories: ["OTHER"] })
      const id = String(at(body, "id"))
      if (isPublished) yield* post(provider, `/${id}/publish`, {})
      return once({ flow_id: id })
    })

const media: Preparation = (provider) => Effect.map(uploadFile(provider, "image"), (id) => once({ media_id: id }))

const uploadSession =
  (length: number): Preparation =>
  (provider) =>
    Effect.map(
      request(
        provider,
        "POST",
        `/${fact.app.appId}/uploads?file_name=a&file_length=${length}&file_type=image/jpeg`,
        null
      ),
      ({ body }) => once({ upload_id: String(at(body, "id")) })
    )

const verifiableCode: Preparation = (provider, sent) =>
  Effect.gen(function* () {
    yield* stage("unverified")(provider, sent)
    yield* post(provider, `/${fact.phoneId}/request_code?code_method=SMS&language=en_US`, {})
    return { texts: new Map([["123830", provider.number(fact.phoneId).verificationCode ?? ""]]) }
  })

const marketing: Preparation = (provider) =>
  Effect.gen(function* () {
    yield* createTemplate(provider, "quick_replies")
    provider.act({ act: "set_account", businessId: fact.businessId, marketingOnboarding: "ONBOARDED" })
    provider.advance(11 * 60_000)
    return {}
  })

const secondPage: Preparation = (provider) =>
  Effect.gen(function* () {
    for (const name of ["one", "two", "three"]) {
      yield* createTemplate(provider, name, { components: [{ type: "BODY", text: name }] })
    }
    const { body } = yield* request(provider, "GET", `/${fact.businessId}/message_templates?limit=2`, null)
    return { texts: new Map([["MjQZD", String(at(body, "paging", "cursors", "after"))]]) }
  })

const enableCalls = before(`/${fact.phoneId}/settings`, { calling: { status: "ENABLED" } })

const permitCalls: Preparation = (provider, sent) =>
  Effect.tap(enableCalls(provider, sent), () =>
    Effect.sync(() => provider.write(fact.phoneId, fact.customer, { type: "call_permission", response: "accept" }))
  )

const askForCalls: Preparation = (provider, sent) =>
  Effect.andThen(createTemplate(provider, "call_permission"), enableCalls(provider, sent))

const listedTemplates: Preparation = (provider) =>
  Effect.gen(function* () {
    yield* createTemplate(provider, "order_confirmation", { parameter_format: "positional" })
    provider.act({
      act: "template_quality",
      businessId: fact.businessId,
      name: "order_confirmation",
      language: "en_US",
      score: "GREEN"
    })
    return {}
  })

const unpausable: Preparation = (provider, sent) =>
  Effect.gen(function* () {
    const prepared = yield* withTemplate("order_confirmation")(provider, sent)
    const template = { businessId: fact.businessId, name: "order_confirmation", language: "en_US" }
    provider.act({ act: "pause_by_pacing", ...template })
    return prepared
  })

const oneTemplate: Preparation = (provider) =>
  Effect.map(createTemplate(provider, "order_confirmation"), (id) => ({
    path: { template_id: id },
    texts: new Map([
      ["1689556908129832", id],
      ["1689556908129832,1689556908129833", id]
    ])
  }))

const wallOf = (provider: RunningChatSimulator): Effect.Effect<Partial<Prepared>> =>
  Effect.as(
    post(provider, `/${fact.phoneId}/block_users`, {
      messaging_product: "whatsapp",
      block_users: [{ user: `+${fact.customer}` }]
    }),
    {}
  )

const byName: Readonly<Record<string, Preparation>> = {
  "change-pin": nothing,
  "compare-templates": withTemplate("order_confirmation"),
  "delete-media": media,
  "get-media": media,
  "delete-qr-code": qrCode,
  "update-qr-code": qrCode,
  "list-qr-codes": qrCode,
  "delete-template-by-id": oneTemplate,
  "delete-template-by-name": oneTemplate,
  "delete-username": before(`/${fact.phoneId}/username`, { username: "lucky.shrub" }),
  "get-username": before(`/${fact.phoneId}/username`, { username: "lucky.shrub" }),
  "publish-flow": flow(false),
  "deprecate-flow": flow(true),
  "edit-template": oneTemplate,
  "edit-template-ttl": oneTemplate,
  "edit-template-category": withTemplate("order_confirmation", {}, "REJECTED"),
  "archive-templates": oneTemplate,
  "unarchive-templates": oneTemplate,
  "exchange-code": (provider, { query }) =>
    Effect.sync(() => {
      provider.addSignupCode(query?.["code"] ?? "", fact.businessId, "EAAsigned")
      return {}
    }),
  "get-conversational-automation": before(`/${fact.phoneId}/conversational_automation`, {
    enable_welcome_message: true,
    prompts: ["Book a flight"],
    commands: [{ command_name: "tickets", command_description: "Book flight tickets" }]
  }),
  "get-profile": saveProfile,
  "get-template": withTemplate("image_header", { message_send_ttl_seconds: 43_200 }),
  "get-template-health": withTemplate("order_confirmation", {}, "PENDING"),
  "get-upload-offset": uploadSession(125),
  "upload-bytes": uploadSession(27),
  "list-blocked-users": wallOf,
  "unblock-users": wallOf,
  "list-templates": listedTemplates,
  "list-templates-by-status": listedTemplates,
  "list-templates-next-page": secondPage,
  "list-subscribed-apps": (provider) =>
    Effect.sync(() => {
      provider.act({ act: "set_override", businessId: fact.businessId, url: "https://hooks.luckyshrub.com/whatsapp" })
      return {}
    }),
  "register-number": stage("verified"),
  "register-number-local-storage": stage("verified"),
  "create-group": official,
  "remove-group-participants": group,
  "send-text-group": group,
  "send-pin": group,
  "send-unpin": group,
  "request-code-sms": stage("unverified"),
  "request-code-voice": stage("unverified"),
  "verify-code": verifiableCode,
  "accept-call": enableCalls,
  "pre-accept-call": enableCalls,
  "reject-call": enableCalls,
  "terminate-call": enableCalls,
  "start-call": permitCalls,
  "start-call-user-id": permitCalls,
  "get-call-permissions": permitCalls,
  "get-call-permissions-user-id": permitCalls,
  "send-call-permission-request": enableCalls,
  "send-template-call-permission": askForCalls,
  "sync-contacts": stage("coexistence"),
  "sync-history": stage("coexistence"),
  "send-marketing-message": marketing,
  "send-marketing-message-strict": marketing,
  // The template of the facts has a header with a variable, which this request does not fill.
  "send-template-currency-and-date": withTemplate("positional", {
    components: [
      {
        type: "BODY",
        text: "Thanks, {{1}} is due on {{2}} at noon.",
        example: { body_text: [["$100.99", "February 25, 2026"]] }
      }
    ]
  }),
  "unpause-template": unpausable
}

/** Creates the objects that a request names. */
export const prepare = Effect.fnUntraced(function* (provider: RunningChatSimulator, url: string, sent: Request) {
  const template = at(sent.body, "template", "name")
  const prepared = yield* (byName[sent.name] ?? nothing)(provider, sent)
  if (typeof template === "string" && byName[sent.name] === undefined) yield* createTemplate(provider, template)
  const message = provider.write(fact.phoneId, fact.customer, { type: "text", text: "Hello" })
  const customer = provider.addCustomer(null)
  provider.act({ act: "set_customer", customer, parentUserId: "US.ENT.11815799212886844830" })
  provider.write(fact.phoneId, customer, { type: "text", text: "Hello" })
  const wamids = Array.from(JSON.stringify(sent.body ?? null).matchAll(/wamid\.[\w+/=]+/gu), ([id]) => [id, message])
  return {
    path: {
      phone_number_id: fact.phoneId,
      waba_id: fact.businessId,
      app_id: fact.app.appId,
      business_id: "700000000000009",
      ...prepared.path
    },
    texts: new Map<string, string>([
      ...wamids.map(([id = "", own = ""]) => [id, own] as const),
      ["US.13491208655302741918", String(at(valuesOf(provider, "messages")[0], "contacts", 0, "user_id"))],
      ["https://hooks.luckyshrub.com/whatsapp", url],
      ["https://hooks.luckyshrub.com/number", url],
      ["vt-7Qe2", "verify me"],
      ...(prepared.texts ?? [])
    ])
  } satisfies Prepared
})

import type { RunningChatSimulator } from "@parley/simulators/chat"
import { Effect } from "effect"
import { at, listAt as listOf, valuesOf } from "../harness.ts"
import { createTemplate, fact, post, type Request, request, uploadExample, uploadFile } from "./grounds.ts"

/** Values that a request names: ids in its path, and texts in its query and body. */
export interface Prepared {
  readonly path: Readonly<Record<string, string>>
  readonly texts: ReadonlyMap<string, string>
}

export type Preparation = (provider: RunningChatSimulator, request: Request) => Effect.Effect<Partial<Prepared>>

export const nothing: Preparation = () => Effect.succeed({})

const once = (path: Readonly<Record<string, string>>): Partial<Prepared> => ({ path })

export const withTemplate =
  (name: string, more: Readonly<Record<string, unknown>> = {}, event?: string): Preparation =>
  (provider) =>
    Effect.map(createTemplate(provider, name, more, event), (id) => once({ template_id: id }))

export const stage =
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

export const before =
  (path: string, body: unknown): Preparation =>
  (provider) =>
    Effect.as(post(provider, path, body), {})

const profile = {
  messaging_product: "whatsapp",
  about: "Succulents",
  address: "1 Hacker Way",
  description: "Plants"
}

export const saveProfile: Preparation = Effect.fnUntraced(function* (provider) {
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
export const official: Preparation = (provider) =>
  Effect.sync(() => {
    provider.act({ act: "set_number", phoneId: fact.phoneId, isOfficial: true })
    return {}
  })

const newGroup = (provider: RunningChatSimulator, isApprovalRequired: boolean): string => {
  const { phoneId } = fact
  const id = provider.act({ act: "create_group", phoneId, subject: "New arrivals", isApprovalRequired }) ?? ""
  provider.act({ act: "join_group", phoneId, customer: fact.customer, groupId: id })
  return id
}

export const joinRequest: Preparation = (provider) =>
  Effect.sync(() => {
    const id = newGroup(provider, true)
    const [group] = listOf(valuesOf(provider, "group_participants_update")[0], "groups")
    const texts = new Map([["MTY0NjcwNDM1OTU6MTIwMzYzNDA0Njk0MjMzODIw", String(at(group, "join_request_id"))]])
    return { path: { group_id: id }, texts }
  })

export const group: Preparation = (provider) =>
  Effect.sync(() => {
    const id = newGroup(provider, false)
    const texts = new Map([["Y2FwaV9ncm91cDoxNzA1NTU1MDEzOToxMjAzNjM0MDQ2OTQyMzM4MjAZD", id]])
    return { path: { group_id: id }, texts }
  })

export const qrCode: Preparation = (provider) =>
  Effect.map(
    post(provider, `/${fact.phoneId}/message_qrdls`, { prefilled_message: "Cyber Monday", generate_qr_image: "SVG" }),
    ({ body }) => {
      const code = String(at(body, "code"))
      return { path: { qr_code: code }, texts: new Map([["4O4YGZEG3RIVE2", code]]) }
    }
  )

export const flow =
  (isPublished: boolean): Preparation =>
  (provider) =>
    Effect.gen(function* () {
      const { body } = yield* post(provider, `/${fact.businessId}/flows`, { name: "booking", categories: ["OTHER"] })
      const id = String(at(body, "id"))
      if (isPublished) yield* post(provider, `/${id}/publish`, {})
      return once({ flow_id: id })
    })

export const media: Preparation = (provider) =>
  Effect.map(uploadFile(provider, "image"), (id) => once({ media_id: id }))

export const uploadSession =
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

export const verifiableCode: Preparation = (provider, sent) =>
  Effect.gen(function* () {
    yield* stage("unverified")(provider, sent)
    yield* post(provider, `/${fact.phoneId}/request_code?code_method=SMS&language=en_US`, {})
    return { texts: new Map([["123830", provider.number(fact.phoneId).verificationCode ?? ""]]) }
  })

export const marketing: Preparation = (provider) =>
  Effect.gen(function* () {
    yield* createTemplate(provider, "quick_replies")
    provider.act({ act: "set_account", businessId: fact.businessId, marketingOnboarding: "ONBOARDED" })
    provider.advance(11 * 60_000)
    return {}
  })

export const secondPage: Preparation = (provider) =>
  Effect.gen(function* () {
    for (const name of ["one", "two", "three"]) {
      yield* createTemplate(provider, name, { components: [{ type: "BODY", text: name }] })
    }
    const { body } = yield* request(provider, "GET", `/${fact.businessId}/message_templates?limit=2`, null)
    return { texts: new Map([["MjQZD", String(at(body, "paging", "cursors", "after"))]]) }
  })

export const enableCalls = before(`/${fact.phoneId}/settings`, { calling: { status: "ENABLED" } })

export const permitCalls: Preparation = (provider, sent) =>
  Effect.tap(enableCalls(provider, sent), () =>
    Effect.sync(() => provider.write(fact.phoneId, fact.customer, { type: "call_permission", response: "accept" }))
  )

export const askForCalls: Preparation = (provider, sent) =>
  Effect.andThen(createTemplate(provider, "call_permission"), enableCalls(provider, sent))

export const listedTemplates: Preparation = (provider) =>
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

export const unpausable: Preparation = (provider, sent) =>
  Effect.gen(function* () {
    const prepared = yield* withTemplate("order_confirmation")(provider, sent)
    const template = { businessId: fact.businessId, name: "order_confirmation", language: "en_US" }
    provider.act({ act: "pause_by_pacing", ...template })
    return prepared
  })

export const oneTemplate: Preparation = (provider) =>
  Effect.map(createTemplate(provider, "order_confirmation"), (id) => ({
    path: { template_id: id },
    texts: new Map([
      ["1689556908129832", id],
      ["1689556908129832,1689556908129833", id]
    ])
  }))

export const siblings: Preparation = (provider) =>
  Effect.sync(() => {
    for (const businessId of [fact.businessId, "102290129340999"]) {
      provider.act({ act: "set_account", businessId, ownerId: "2729063490586005" })
    }
    return {}
  })

export const compared: Preparation = (provider) =>
  Effect.gen(function* () {
    const id = yield* createTemplate(provider, "order_confirmation")
    const other = yield* createTemplate(provider, "body_only")
    return { path: { template_id: id }, texts: new Map([["[1533406637136032]", `[${other}]`]]) }
  })

export const insights: Preparation = (provider, sent) =>
  Effect.andThen(
    before(`/${fact.businessId}?is_enabled_for_insights=true`, {})(provider, sent),
    Effect.map(createTemplate(provider, "order_confirmation"), (id) => ({
      texts: new Map([["[1689556908129832]", `[${id}]`]])
    }))
  )

export const wallOf = (provider: RunningChatSimulator): Effect.Effect<Partial<Prepared>> =>
  Effect.as(
    post(provider, `/${fact.phoneId}/block_users`, {
      messaging_product: "whatsapp",
      block_users: [{ user: `+${fact.customer}` }]
    }),
    {}
  )

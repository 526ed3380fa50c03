import type { NumberStage } from "@parley/simulators/chat"
import { Effect } from "effect"
import { accountId, app, createTemplate, phoneId, textAt, uploadFile, users, type World } from "./simulatorWorld.ts"

/** State that a request of the corpus needs. */
export interface Setup {
  readonly stage?: NumberStage
  /** Prepares the simulator; returns values of the path, the query and the body by the text that they replace. */
  readonly prepare?: (world: World) => Effect.Effect<Readonly<Record<string, string>>>
  readonly token?: string
}

const post = (world: World, path: string, body: object = {}) =>
  Effect.map(world.call({ method: "POST", path, body: JSON.stringify(body) }), ({ body }) => body)

const ofTemplate = (name: string): Setup => ({
  prepare: (world) => Effect.map(createTemplate(world, name), (id) => ({ "{template_id}": id }))
})

const orderConfirmation: Setup = {
  prepare: (world) =>
    Effect.map(createTemplate(world, "positional", "order_confirmation"), (id) => ({ "1689556908129832": id }))
}

const ofFile: Setup = {
  prepare: (world) => Effect.map(uploadFile(world, "image"), (id) => ({ "{media_id}": id }))
}

const ofQrCode: Setup = {
  prepare: (world) =>
    Effect.map(
      post(world, `/${phoneId}/message_qrdls`, { prefilled_message: "Hello", generate_qr_image: "SVG" }),
      (body) => ({
        "{qr_code}": textAt(body, "code"),
        "4O4YGZEG3RIVE2": textAt(body, "code")
      })
    )
}

const ofUpload: Setup = {
  prepare: ({ call }) =>
    Effect.map(
      call({
        method: "POST",
        path: `/${app.appId}/uploads?file_name=aloe.jpg&file_length=134&file_type=image/jpeg`
      }),
      ({ body }) => ({ "{upload_id}": textAt(body, "id") })
    )
}

const ofGroup: Setup = {
  prepare: ({ simulator }) =>
    Effect.sync(() => {
      const id = simulator.act({ act: "create_group", phoneId, subject: "New arrivals" }) ?? ""
      simulator.act({ act: "join_group", phoneId, customer: users.main, groupId: id })
      return { "{group_id}": id, Y2FwaV9ncm91cDoxNzA1NTU1MDEzOToxMjAzNjM0MDQ2OTQyMzM4MjAZD: id }
    })
}

const ofFlow: Setup = {
  prepare: (world) =>
    Effect.map(post(world, `/${accountId}/flows`, { name: "booking", categories: ["OTHER"] }), (body) => ({
      "{flow_id}": textAt(body, "id")
    }))
}

const ofPublishedFlow: Setup = {
  prepare: (world) =>
    Effect.gen(function* () {
      const id = textAt(yield* post(world, `/${accountId}/flows`, { name: "booking", categories: ["OTHER"] }), "id")
      yield* post(world, `/${id}/publish`)
      return { "{flow_id}": id }
    })
}

const marketing: Setup = {
  prepare: (world) =>
    Effect.gen(function* () {
      world.simulator.act({ act: "set_account", businessId: accountId, marketingOnboarding: "ONBOARDED" })
      yield* createTemplate(world, "quick-replies")
      world.simulator.advance(11 * 60_000)
      return {}
    })
}

const after = (path: string, body: object): Setup => ({
  prepare: (world) => Effect.as(post(world, `/${phoneId}/${path}`, body), {})
})

const unverified: Setup = { stage: "unverified" }
const verified: Setup = { stage: "verified" }
const coexistence: Setup = { stage: "coexistence" }

/** Requests that need more than a registered number whose users have just written. */
export const setups: Readonly<Record<string, Setup>> = {
  "register-number": verified,
  "register-number-local-storage": verified,
  "request-code-sms": unverified,
  "request-code-voice": unverified,
  "verify-code": {
    stage: "unverified",
    prepare: (world) =>
      Effect.map(post(world, `/${phoneId}/request_code`, { code_method: "SMS", language: "en_US" }), () => ({
        "123830": world.simulator.number(phoneId).verificationCode ?? ""
      }))
  },
  "sync-contacts": coexistence,
  "sync-history": coexistence,
  "exchange-code": {
    prepare: ({ simulator }) =>
      Effect.sync(() => {
        simulator.addSignupCode(
          "AQBhlXsctMxJYbwbrpybxlo9tLPGy-QAmjBJA06jxWqjkmyGV0zTzLKFTXqbWQ2zOLQ",
          accountId,
          "EAAcustomer"
        )
        return {}
      })
  },
  "debug-token": { prepare: () => Effect.succeed({ EAAJB3Token: "EAAcorpus" }) },
  "subscribe-app-fields": { token: `${app.appId}|${app.appSecret}` },
  "get-template": ofTemplate("image-header"),
  "get-template-health": ofTemplate("positional"),
  "compare-templates": ofTemplate("positional"),
  "edit-template": ofTemplate("positional"),
  "edit-template-ttl": ofTemplate("positional"),
  "edit-template-category": {
    prepare: (world) =>
      Effect.map(createTemplate(world, "named"), (id) => {
        world.simulator.decide(accountId, "named", "en_US", "REJECTED", "INCORRECT_CATEGORY")
        return { "{template_id}": id }
      })
  },
  "unpause-template": {
    prepare: (world) =>
      Effect.map(createTemplate(world, "quick-replies"), (id) => {
        world.simulator.act({
          act: "pause_by_pacing",
          businessId: accountId,
          name: "quick_replies",
          language: "en_US"
        })
        return { "{template_id}": id }
      })
  },
  "delete-template-by-name": orderConfirmation,
  "delete-template-by-id": orderConfirmation,
  "list-templates": ofTemplate("positional"),
  "list-templates-by-status": ofTemplate("positional"),
  "list-templates-next-page": {
    prepare: (world) =>
      Effect.gen(function* () {
        for (const name of ["positional", "named", "quick-replies"]) yield* createTemplate(world, name)
        const path = `/${accountId}/message_templates?limit=2`
        const { body } = yield* world.call({ method: "GET", path })
        return { MjQZD: textAt(body, "paging", "cursors", "after") }
      })
  },
  "get-conversational-automation": after("conversational_automation", { prompts: ["Book a flight"] }),
  "get-username": after("username", { username: "lucky.shrub" }),
  "get-media": ofFile,
  "delete-media": ofFile,
  "update-qr-code": ofQrCode,
  "delete-qr-code": ofQrCode,
  "list-qr-codes": ofQrCode,
  "upload-bytes": ofUpload,
  "get-upload-offset": ofUpload,
  "publish-flow": ofFlow,
  "deprecate-flow": ofPublishedFlow,
  "start-call": {
    prepare: ({ simulator }) =>
      Effect.sync(() => {
        simulator.write(phoneId, users.main, { type: "call_permission", response: "accept" })
        return {}
      })
  },
  "remove-group-participants": ofGroup,
  "send-text-group": ofGroup,
  "send-pin": ofGroup,
  "send-unpin": ofGroup,
  "send-marketing-message": marketing,
  "send-marketing-message-strict": marketing
}

/** Requests that the simulator does not answer, with the reason. */
export const omitted: Readonly<Record<string, string>> = {
  "archive-templates": "The call goes to another host.",
  "unarchive-templates": "The call goes to another host."
}

/** Fields of the simulator that Meta's pages leave open, by request. */
export const assumed: Readonly<Record<string, ReadonlyArray<string>>> = {
  "block-user-ids": ["/block_users/added_users/*/user_id"],
  "debug-token": ["/data/data_access_expires_at"],
  "enable-insights": ["/id"],
  "list-templates-next-page": ["/paging/previous"],
  "search-template-library": ["/paging", "/paging/cursors", "/paging/cursors/before", "/paging/cursors/after"],
  "set-username": ["/status"]
}

/** Fields of the corpus that are absent without further data, by request. */
export const absent: Readonly<Record<string, ReadonlyArray<string>>> = {
  "get-number-settings": ["calling", "user_identity_change", "storage_configuration"],
  "get-template": ["message_send_ttl_seconds"],
  "get-template-analytics": ["paging"],
  "update-qr-code": ["qr_image_url"]
}

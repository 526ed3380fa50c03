import { assert, describe, it } from "@effect/vitest"
import { openApi } from "../../src/server/openapi/openApi.ts"

const document = JSON.stringify(openApi("http://parley.test"))

/** Names of codes, states, fields and paths before their renames. The changelog lists the new ones under "Renamed". */
const retired = [
  "acceptDouble",
  "authorization_denied",
  "automation_token_ended",
  "callback_signature_invalid",
  "callback_state_invalid",
  "cutReason",
  "login_busy",
  "mailer_absent",
  "media_lost",
  "move_runs",
  "note_of_another",
  "number_taken",
  "optInWords",
  "optOutWords",
  "platform_app_absent",
  "recipient_taken",
  "run_cut",
  "store_taken",
  "storefront_app_absent"
]

describe("the OpenAPI document", () => {
  it.each(retired)("does not contain the retired name %s", (name) => {
    assert.notMatch(document, new RegExp(`(?<![a-z_])${name}(?![a-z_])`, "u"))
  })
})

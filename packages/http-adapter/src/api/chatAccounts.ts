import {
  ChatAccountId,
  ChatAccountPatch,
  ChatAccountView,
  NewChatAccount,
  Page,
  PlatformApp,
  PlatformSignup
} from "@parley/domain"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { area, asksProvider, describe } from "./describe.ts"
import { Idempotent, InOrganization, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { idOf, IfMatch, PageQuery } from "./shapes.ts"

const chatAccount = idOf(ChatAccountId, "chat account")

const read = [Problems.PermissionDenied, Problems.NotFound] as const
const changed = [...read, Problems.VersionConflict] as const
/** What is refused where the provider is asked about a number before its access token is kept. */
const admitted = [
  Problems.UnsupportedByChannel,
  Problems.ChatNumberUnknown,
  Problems.ChatTokenRefused,
  Problems.ProviderRefused,
  Problems.ProviderUnreachable,
  Problems.Unavailable
] as const
const connected = [
  Problems.PermissionDenied,
  Problems.ChatAccountExists,
  Problems.NumberTaken,
  Problems.PlanLimitReached,
  ...admitted
] as const

/** Chat accounts: the numbers that the organization writes from. */
export class ChatAccountsApi extends HttpApiGroup.make("chatAccounts")
  .add(
    HttpApiEndpoint.get("list", "/chat_accounts", {
      query: PageQuery,
      success: Page(ChatAccountView),
      error: [Problems.PermissionDenied, Problems.CursorInvalid]
    }).annotateMerge(describe("listChatAccounts", "List chat accounts", "Newest first.")),
    HttpApiEndpoint.post("create", "/chat_accounts", {
      payload: NewChatAccount,
      success: ChatAccountView.pipe(HttpApiSchema.status(201)),
      error: connected
    })
      .annotateMerge(
        describe(
          "connectChatAccount",
          "Connect a number, or an address of your own",
          'A number goes through an app of your own. The access token and the app secret are kept encrypted and never shown again. The provider is asked about the number first: one that it does not know is 422 `chat_number_unknown`, a token that it does not accept is 422 `chat_token_refused`, and if it cannot be asked that is 503 `channel_unreachable`; nothing is kept then, and the same call may be made again. A number that was connected before has the id that it had, and takes up its conversations, its templates and what waits to be sent. Tell the provider the `webhookUrl` and the `verifyToken` of the answer, so that it delivers what customers write. With `"provider": "webhook"` it is an address of yours instead: messages are posted there as signed JSON, and what people write is posted to its `webhookUrl`, signed with the `signingSecret` that only this answer has.'
        )
      )
      .annotateMerge(asksProvider)
      .middleware(Idempotent),
    HttpApiEndpoint.get("get", "/chat_accounts/:id", {
      params: chatAccount,
      success: ChatAccountView,
      error: read
    }).annotateMerge(describe("getChatAccount", "Read a chat account")),
    HttpApiEndpoint.patch("update", "/chat_accounts/:id", {
      params: chatAccount,
      headers: IfMatch,
      payload: ChatAccountPatch,
      success: ChatAccountView,
      error: [...changed, ...admitted]
    })
      .annotateMerge(
        describe(
          "updateChatAccount",
          "Change a chat account",
          "A new app secret stands beside the former one for a day, so that no delivery is lost while the provider changes over. The provider is asked by a new access token before it is kept: if it refuses that, or cannot be asked, nothing is changed."
        )
      )
      .annotateMerge(asksProvider),
    HttpApiEndpoint.delete("delete", "/chat_accounts/:id", {
      params: chatAccount,
      headers: IfMatch,
      success: HttpApiSchema.NoContent,
      error: changed
    }).annotateMerge(
      describe(
        "removeChatAccount",
        "Remove a chat account",
        "Its secrets are gone at once; what was written through it stays. Its templates are there again, and messages that wait go on, when the same number is connected again, through whichever app; what has waited for a day fails."
      )
    ),
    HttpApiEndpoint.post("check", "/chat_accounts/:id/check", {
      params: chatAccount,
      success: ChatAccountView,
      error: [...read, Problems.UnsupportedByChannel, Problems.Unavailable]
    })
      .annotateMerge(
        describe(
          "checkChatAccount",
          "Ask the provider how a number is doing",
          "Status, quality, limits and phone number are brought up to date. If the provider does not answer, that is the account's `lastError`."
        )
      )
      .annotateMerge(asksProvider)
      .middleware(Idempotent),
    HttpApiEndpoint.post("rotateSecret", "/chat_accounts/:id/rotate_secret", {
      params: chatAccount,
      success: ChatAccountView,
      error: [...read, Problems.UnsupportedByChannel]
    })
      .annotateMerge(
        describe(
          "rotateChatSecret",
          "Make a new signing secret",
          "For an account that is an address of its own. The answer has the new `signingSecret`, once. The one before it is good for a day more: until then requests to you are signed with both, and yours may be signed with either."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.get("platformApp", "/chat/platform_app", {
      success: PlatformApp,
      error: Problems.PermissionDenied
    }).annotateMerge(
      describe(
        "getPlatformApp",
        "Read whether the platform app is offered",
        "The platform app is an app of this service, through which numbers are connected without an app of your own."
      )
    ),
    HttpApiEndpoint.post("connectThroughPlatformApp", "/chat/platform_app", {
      payload: PlatformSignup,
      success: ChatAccountView.pipe(HttpApiSchema.status(201)),
      error: [...connected, Problems.PlatformAppAbsent, Problems.SignupInterrupted]
    })
      .annotateMerge(
        describe(
          "connectThroughPlatformApp",
          "Connect a number through the platform app",
          "The code comes from the provider's signup, which begins with what `GET /chat/platform_app` answers. It is good once and for minutes. A number that was connected before has the id that it had, and takes up its history. If the provider is away after it has taken the code, that is 503 `signup_interrupted`: begin the signup again."
        )
      )
      .annotateMerge(asksProvider)
      .middleware(Idempotent)
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Chat accounts", "The numbers that the organization writes from, and how they are doing.")) {}

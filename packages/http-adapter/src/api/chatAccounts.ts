import { Page } from "@parley/domain/kernel"
import {
  AddedNumber,
  ChatAccountId,
  ChatAccountPatch,
  ChatAccountView,
  NewChatAccount,
  NewPlatformNumber,
  OnboardingChecklist,
  PlatformApp
} from "@parley/domain/messaging"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { chatOnboardingEndpoints } from "./chatOnboarding.ts"
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
  Problems.ChatTokenUnsuitable,
  Problems.OnboardingRefused,
  Problems.ProviderRefused,
  Problems.ProviderUnreachable,
  Problems.Unavailable
] as const
const connected = [
  Problems.PermissionDenied,
  Problems.ChatAccountExists,
  Problems.NumberConnectedElsewhere,
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
          "Connect a chat account",
          'A number needs an app of your own. The access token and the app secret are stored encrypted and never shown again. Parley checks the number with the provider first: an unknown number is 422 `chat_number_unknown`, a rejected token is 422 `chat_token_refused`, and an unreachable provider is 503 `channel_unreachable`. In these cases nothing is stored, and the call can be repeated. A number that was connected before keeps its id, conversations, templates and pending messages. A token without a needed permission, or of another app than `appId`, is 422 `chat_token_unsuitable`. So is a token without access to the business account, and a business account that does not have the number. Parley subscribes the app to the business account. Register the `webhookUrl` and the `verifyToken` of the answer with the provider, or send `overrideCallback`; it then delivers messages of customers. `GET /chat_accounts/:id/onboarding` shows the open steps. With `"provider": "webhook"` the account is your own URL: messages are posted there as signed JSON, and incoming messages are posted to its `webhookUrl`, signed with the `signingSecret` of this answer.'
        )
      )
      .annotateMerge(asksProvider)
      .middleware(Idempotent),
    HttpApiEndpoint.get("get", "/chat_accounts/:id", {
      params: chatAccount,
      success: ChatAccountView,
      error: read
    }).annotateMerge(describe("getChatAccount", "Get a chat account")),
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
          "Update a chat account",
          "After a change of the app secret, the previous secret stays valid for one day, because the provider needs time to switch. A new access token and a new `messagingAccountId` are checked with the provider first, as for a new number: the token must have the permissions, and both business accounts must have the number. If the provider rejects them or is not reachable, nothing changes. `pointer` of 422 `chat_token_unsuitable`, `chat_token_refused` and `chat_number_unknown` names the field to correct."
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
        "Its secrets are deleted immediately; its messages stay. Parley ends its subscription at the provider if no other number uses the business account. When the same number is connected again, through any app, its templates return and pending messages continue. Messages that are older than one day fail."
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
          "Check a chat account",
          "Refreshes status, quality, limits and phone number from the provider. If the provider does not answer, `lastError` of the account says so."
        )
      )
      .annotateMerge(asksProvider)
      .middleware(Idempotent),
    HttpApiEndpoint.get("onboarding", "/chat_accounts/:id/onboarding", {
      params: chatAccount,
      success: OnboardingChecklist,
      error: [...read, Problems.UnsupportedByChannel]
    }).annotateMerge(
      describe(
        "getChatAccountOnboarding",
        "Get the onboarding checklist",
        "The steps from the signup to the first message: token, verification, display name, registration, subscription, webhook address, first webhook and payment method. Each step has a state, the next action and the page of the provider. The states are those of the last check: `POST /chat_accounts/:id/check` refreshes them."
      )
    ),
    HttpApiEndpoint.post("addNumber", "/chat_accounts/:id/numbers", {
      params: chatAccount,
      payload: AddedNumber,
      success: ChatAccountView.pipe(HttpApiSchema.status(201)),
      error: [...connected, Problems.NotFound]
    })
      .annotateMerge(
        describe(
          "addChatNumber",
          "Add a number to a business account",
          "Adds a phone number to the business account of this chat account, and connects it with the same app. The new number is not verified: request a code, verify it, then register it. A repetition after a lost answer connects the number that the first call has added."
        )
      )
      .annotateMerge(asksProvider)
      .middleware(Idempotent)
  )
  .add(...chatOnboardingEndpoints)
  .add(
    HttpApiEndpoint.post("rotateSecret", "/chat_accounts/:id/rotate_secret", {
      params: chatAccount,
      success: ChatAccountView,
      error: [...read, Problems.UnsupportedByChannel]
    })
      .annotateMerge(
        describe(
          "rotateChatSecret",
          "Rotate the signing secret",
          "For accounts with their own URL. The answer contains the new `signingSecret` once. The previous secret is valid for one more day: until then requests to you have both signatures, and yours can use either secret."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.get("platformApp", "/chat/platform_app", {
      success: PlatformApp,
      error: Problems.PermissionDenied
    }).annotateMerge(
      describe(
        "getPlatformApp",
        "Get the platform app",
        "The platform app is an app of this service. Numbers can be connected through it without an app of your own."
      )
    ),
    HttpApiEndpoint.post("connectThroughPlatformApp", "/chat/platform_app", {
      payload: NewPlatformNumber,
      success: ChatAccountView.pipe(HttpApiSchema.status(201)),
      error: [
        ...connected,
        Problems.PlatformAppNotConfigured,
        Problems.SignupCancelled,
        Problems.SignupCodeRefused,
        Problems.SignupInterrupted,
        Problems.SignupNumberMissing
      ]
    })
      .annotateMerge(
        describe(
          "connectThroughPlatformApp",
          "Connect a number through the platform app",
          "The code comes from the signup of the provider, which starts with the answer of `GET /chat/platform_app`. It works once and for 30 seconds: an expired or used code is 422 `signup_code_refused`. Send the `session` event of the signup as the browser received it, or the ids that it contains. Business accounts that the token of the signup cannot use, or that do not have the number, are 422 `chat_token_unsuitable`. Parley exchanges the code, subscribes the platform app, reads the number, and registers it if it is verified. `registrationPin` shows the PIN that Parley created. If the registration is refused, the number stays connected, and `GET /chat_accounts/:id/onboarding` says what to do. A number that was connected before keeps its id and history. If the provider becomes unreachable after it accepted the code, the answer is 503 `signup_interrupted`: start the signup again."
        )
      )
      .annotateMerge(asksProvider)
      .middleware(Idempotent)
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Chat accounts", "Numbers of the organization, and their status.")) {}

import { Effect } from "effect"
import { useCase } from "../../../kernel/index.ts"
import type { PlatformApp } from "../ChatAccount.ts"
import { ChatSettings } from "../ChatSettings.ts"
import { platformWebhookPath } from "../shown.ts"

/** Says whether this service offers an app to connect numbers through, and what its signup needs. */
export const getPlatformApp = useCase(
  "chatAccounts.platformApp",
  { access: { permission: "chat_accounts.read" } },
  Effect.fnUntraced(function* () {
    const { platformApp } = yield* ChatSettings
    return {
      offered: platformApp !== null,
      appId: platformApp?.appId ?? null,
      signupConfigurationId: platformApp?.signupConfigurationId ?? null,
      webhookPath: platformWebhookPath
    } satisfies PlatformApp
  })
)

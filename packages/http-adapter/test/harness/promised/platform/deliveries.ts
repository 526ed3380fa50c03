import type { Promised } from "../../Promised.ts"

/** What is promised of the endpoints of this area. */
export const promised: Promised = {
  answers: `
endpoint                                  | needs | nobody | token | viewer | agent | admin | owner
chatWebhooks.verifyPlatform               |       | 200    | 200   | 200    | 200   | 200   | 200
chatWebhooks.receivePlatform              |       | 200    | 200   | 200    | 200   | 200   | 200
chatWebhooks.verifyOwn                    |       | 200    | 200   | 200    | 200   | 200   | 200
chatWebhooks.receiveOwn                   |       | 200    | 200   | 200    | 200   | 200   | 200
chatWebhooks.receiveForAccount            |       | 200    | 200   | 200    | 200   | 200   | 200
chatWebhooks.receiveForAccountUnderPrefix |       | 200    | 200   | 200    | 200   | 200   | 200
chatWebhooks.verifyPlatformUnderPrefix    |       | 200    | 200   | 200    | 200   | 200   | 200
chatWebhooks.receivePlatformUnderPrefix   |       | 200    | 200   | 200    | 200   | 200   | 200
chatWebhooks.verifyOwnUnderPrefix         |       | 200    | 200   | 200    | 200   | 200   | 200
chatWebhooks.receiveOwnUnderPrefix        |       | 200    | 200   | 200    | 200   | 200   | 200
`,
  trails: {
    "chatWebhooks.receivePlatform": null,
    "chatWebhooks.receiveOwn": null,
    "chatWebhooks.receiveForAccount": null,
    "chatWebhooks.receiveForAccountUnderPrefix": null,
    "chatWebhooks.receivePlatformUnderPrefix": null,
    "chatWebhooks.receiveOwnUnderPrefix": null
  }
}

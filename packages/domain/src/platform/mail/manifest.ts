import { defineArea } from "../../kernel/index.ts"
import { waitingMails } from "./queueMail.ts"
import { mailStorage } from "./Storage.ts"
import { mailWorks } from "./work.ts"

/** What this area says of itself. */
export const mailArea = defineArea({
  name: "platform/mail",
  storage: mailStorage,
  works: mailWorks,
  sealedValues: [waitingMails]
})

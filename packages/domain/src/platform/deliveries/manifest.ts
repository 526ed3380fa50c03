import { defineArea } from "../../kernel/index.ts"
import { deliveriesStorage } from "./Storage.ts"
import { deliveriesWorks } from "./work.ts"

/** What this area says of itself. */
export const deliveriesArea = defineArea({
  name: "platform/deliveries",
  storage: deliveriesStorage,
  works: deliveriesWorks
})

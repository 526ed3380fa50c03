import type { ProviderTemplate } from "../TemplateApproval.ts"

const general = "Read the provider's review rules, correct the template and submit it again."

/** Required change by the provider's reason for a rejection. */
const adviceByReason: ReadonlyMap<string, string> = new Map([
  ["ABUSIVE_CONTENT", "Remove threats, requests for sensitive data and other abusive content, then submit it again."],
  [
    "CATEGORY_NOT_AVAILABLE",
    "The category is not available for this business account. Choose another category and submit it again."
  ],
  ["INCORRECT_CATEGORY", "The text does not match the category. Change the category or the text and submit it again."],
  [
    "INVALID_FORMAT",
    "Correct the variables, examples, links and special characters. Each variable needs a realistic example."
  ],
  ["PROMOTIONAL", "Remove promotional content, or change the category to marketing, then submit it again."],
  ["SCAM", "The template looks like fraud. State your business and the purpose of the message clearly."],
  [
    "TAG_CONTENT_MISMATCH",
    "The content or its language does not match the category or the language of the template. Correct one of them."
  ]
])

/** Known reasons of the provider for a rejection. */
export const rejectionReasons: ReadonlyArray<string> = [...adviceByReason.keys()]

/** Returns the required change after a rejection; `null` without a rejection. */
export const rejectionAdvice = ({
  rejectionReason,
  status
}: Pick<ProviderTemplate, "rejectionReason" | "status">): string | null =>
  status === "rejected" ? (adviceByReason.get(rejectionReason?.toUpperCase() ?? "") ?? general) : null

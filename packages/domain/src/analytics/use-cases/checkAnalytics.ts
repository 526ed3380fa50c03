import { useCase } from "../../kernel/index.ts"
import { checkBooks } from "../recounting/checkBooks.ts"

/** Counts everything anew, and says where what is kept differs from it. Nothing of what is kept changes. */
export const checkAnalytics = useCase("analytics.check", { access: "operator" }, () => checkBooks)

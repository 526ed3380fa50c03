import { startAccount } from "./account.js"
import { dressCode, startCode } from "./code.js"
import { startGates } from "./gates.js"
import { startGuide } from "./guide.js"
import { startNav } from "./nav.js"
import { startPlan } from "./plan.js"
import { startSearch } from "./search.js"
import { startSession } from "./session.js"
import { startTheme } from "./theme.js"

startTheme()
dressCode()
startCode()
startAccount()
startPlan()
startGates()
startSearch()
startSession()

const failQuietly = () => document.documentElement.classList.add("has-no-reference")

startNav().catch(failQuietly)
if (document.body.dataset.page === "guide") startGuide().catch(failQuietly)

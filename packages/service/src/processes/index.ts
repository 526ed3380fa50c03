/** How several processes run side by side. Whoever looks after them loads nothing of what they do. */
export { joinOthers, type Joined, ownPost } from "./joinOthers.ts"
export { type Post, posts } from "./Post.ts"
export { processCount } from "./processCount.ts"
export { runTogether } from "./runTogether.ts"

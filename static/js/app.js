// What is on every page. A page adds modules of its own in its block `scripts`.

import { startCsrf } from "./csrf.js";
import { startDialogs } from "./dialog.js";
import { startFailures } from "./failures.js";
import { startFocus } from "./focus.js";
import { startKept } from "./kept.js";
import { startSignIn } from "./signin.js";
import { startTabs } from "./tabs.js";

startCsrf();
startDialogs();
startFailures();
startFocus();
startKept();
startSignIn();
startTabs();

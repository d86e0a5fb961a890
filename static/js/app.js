// What is on every page. A page adds modules of its own in its block `scripts`.

import { startCsrf } from "./csrf.js";
import { startDialogs } from "./dialog.js";
import { startSignIn } from "./signin.js";

startCsrf();
startDialogs();
startSignIn();

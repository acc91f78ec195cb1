// A table that is played at or watched. The chat is a script of its own, for tables that have one.

import { afterRender, onRender } from "../board/rendering.js";
import { updateClocks } from "../shared/clock.js";
import { connect } from "../table/live.js";
import { updateAmounts } from "../table/move-chooser.js";
import "../table/actions.js";
import "../board/close-up.js";
import "../board/keyboard-navigation.js";
import "../board/zoom.js";

onRender(updateAmounts);
onRender(updateClocks);
afterRender();
connect();

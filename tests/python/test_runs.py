"""Runs, sweeps and comparisons by the program tensix-vp."""

import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import tensix_vp


class Runs(unittest.TestCase):
    def test_a_report_has_phases_metrics_and_settings(self):
        report = tensix_vp.run("noc_exchange", bytes=176, rounds=5, settings={"noc.hop_cycles": 11})
        self.assertTrue(report.passed)
        self.assertEqual((report.workload, report.system), ("noc_exchange", "single_chip"))
        self.assertEqual(report.settings["noc.hop_cycles"], "11")
        self.assertEqual(report.settings["noc_exchange.rounds"], "5")
        (phase,) = report.phases.rows()
        self.assertEqual(phase["duration_ns"], phase["end_ns"] - phase["begin_ns"])
        cycles = report.metrics["kernel_cycles"]
        self.assertEqual(cycles.unit, "cycles")
        self.assertEqual(cycles.value / 5, report.metrics["cycles_a_round"].value)
        self.assertEqual(report.warnings, [])
        self.assertEqual(report.simulated_ps, report.simulated_ns * 1000)

    def test_equal_runs_take_equal_time(self):
        first = tensix_vp.run("noc_exchange", bytes=48, seed=7)
        second = tensix_vp.run("noc_exchange", bytes=48, seed=7)
        self.assertEqual(first.state_digest, second.state_digest)
        self.assertEqual(
            set(tensix_vp.compare(first, second).where(difference=0)["name"]),
            set(tensix_vp.compare(first, second)["name"]),
        )

    def test_compare_names_the_difference(self):
        slow = tensix_vp.run("noc_exchange", rounds=3, settings={"noc.hop_cycles": 20})
        fast = tensix_vp.run("noc_exchange", rounds=3, settings={"noc.hop_cycles": 10})
        (time,) = tensix_vp.compare(slow, fast).where(name="simulated time").rows()
        self.assertEqual(time["difference"], fast.simulated_ns - slow.simulated_ns)
        self.assertLess(time["difference"], 0)

    def test_an_unknown_workload_is_bad_usage(self):
        with self.assertRaisesRegex(tensix_vp.UsageError, "unknown workload 'noc_exchangee'"):
            tensix_vp.run("noc_exchangee")

    def test_a_bad_key_is_bad_usage(self):
        with self.assertRaisesRegex(tensix_vp.UsageError, "unknown key 'roundss'"):
            tensix_vp.run("noc_exchange", roundss=3)
        with self.assertRaisesRegex(tensix_vp.UsageError, "noc_exchange.rounds.*0"):
            tensix_vp.run("noc_exchange", rounds=0)

    def test_a_value_with_commas_and_quotes_is_one_value(self):
        with self.assertRaises(tensix_vp.UsageError) as caught:
            tensix_vp.run("noc_exchange", bytes='64,rounds="3"')
        self.assertIn('64,rounds="3"', caught.exception.text)

    def test_a_time_limit_keeps_the_report(self):
        with self.assertRaises(tensix_vp.TimeLimit) as caught:
            tensix_vp.run("noc_exchange", max_time="130ns")
        self.assertEqual(caught.exception.report.simulated_ns, 130)
        report = tensix_vp.run("noc_exchange", max_time="130ns", check=False)
        self.assertEqual((report.exit_code, report.passed), (5, False))

    def test_a_missing_program_is_named(self):
        with mock.patch.dict(os.environ, {"TENSIX_VP_PROGRAM": "/nowhere/tensix-vp"}):
            with self.assertRaisesRegex(tensix_vp.InstallationError, "/nowhere/tensix-vp"):
                tensix_vp.run("noc_exchange")

    def test_a_sweep_is_a_table(self):
        with tempfile.TemporaryDirectory() as folder:
            sweep = tensix_vp.sweep(
                "noc_exchange",
                {"bytes": [64, 208], "noc.hop_cycles": "7:14:7"},
                Path(folder) / "out",
                rounds=3,
                jobs=1,
            )
            table = sweep.table
            self.assertEqual(sweep.keys, ["noc_exchange.bytes", "noc.hop_cycles"])
            self.assertEqual(list(table["noc.hop_cycles"]), [7, 14, 7, 14])
            self.assertEqual(set(table["status"]), {"passed"})
            self.assertEqual(sweep.units["kernel_cycles"], "cycles")
            times = [report.simulated_ns for report in sweep.reports()]
            self.assertEqual(list(table["simulated time"]), times)
            self.assertLess(times[0], times[1])

    def test_conditions_and_samples_select_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            sweep = tensix_vp.sweep(
                "noc_exchange",
                {"rounds": "1:6:lhs6", "noc.hop_cycles": [9, 18]},
                Path(folder) / "out",
                where=["rounds <= 2", "noc.hop_cycles = 9*rounds"],
            )
            table = sweep.table
            rounds = [int(value) for value in table["noc_exchange.rounds"]]
            hops = [int(value) for value in table["noc.hop_cycles"]]
            self.assertEqual(sorted(zip(rounds, hops)), [(1, 9), (2, 18)])

    def test_a_sweep_of_bad_values_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(tensix_vp.UsageError, "noc_exchange.bytes"):
                tensix_vp.sweep("noc_exchange", {"bytes": [64, 1]}, Path(folder) / "out")
            with self.assertRaisesRegex(tensix_vp.UsageError, "has a comma"):
                tensix_vp.sweep("noc_exchange", {"bytes": ["1,2"]}, Path(folder) / "out")

    def test_a_failing_run_of_a_sweep_is_raised_or_in_the_table(self):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "out"
            with self.assertRaises(tensix_vp.TimeLimit):
                tensix_vp.sweep("noc_exchange", {"bytes": [32]}, out, max_time="90ns")
            sweep = tensix_vp.sweep(
                "noc_exchange", {"bytes": [32]}, out, max_time="90ns", check=False
            )
            self.assertEqual(list(sweep.table["exit_code"]), [5])


class Waves(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.files = {
            name: Path(cls.folder.name) / name for name in ("w.fst", "w.vcd", "t.json", "none.json")
        }
        for name in ("w.fst", "w.vcd"):
            cls.report = tensix_vp.run(
                "noc_exchange",
                rounds=3,
                wave=cls.files[name],
                trace=cls.files["t.json"],
            )

    def test_both_formats_have_the_same_changes(self):
        fst = tensix_vp.read_waves(self.files["w.fst"])
        vcd = tensix_vp.read_waves(self.files["w.vcd"])
        self.assertEqual(set(fst), set(vcd))
        self.assertGreater(len(fst), 100)
        for path in fst:
            # VCD has no blanks in texts.
            values = [
                {**row, "value": row["value"].replace(" ", "_")}
                if isinstance(row["value"], str)
                else row
                for row in fst[path].rows()
            ]
            self.assertEqual(values, vcd[path].rows(), path)

    def test_a_signal_is_a_table_of_times_and_values(self):
        waves = tensix_vp.read_waves(self.files["w.fst"], "chip0.tensix_1_1.*")
        state = waves["chip0.tensix_1_1.BRISC.state"]
        self.assertEqual(state.rows()[0], {"time_ps": 0, "value": "in reset"})
        self.assertIn("running", state["value"])
        self.assertEqual(list(state["time_ps"]), sorted(state["time_ps"]))
        self.assertLessEqual(state["time_ps"][-1], self.report.raw["simulated_ps"] * 2)
        self.assertTrue(all(path.startswith("chip0.tensix_1_1.") for path in waves))
        for row in state.rows():
            self.assertEqual(waves.at("chip0.tensix_1_1.BRISC.state", row["time_ps"]), row["value"])
        commands = waves["chip0.tensix_1_1.niu0.commands"]
        self.assertEqual(commands["value"][0], 0)
        self.assertGreater(max(commands["value"]), 0)
        self.assertEqual(waves.table().count, sum(waves[path].count for path in waves))

    def test_bad_wave_files_are_named(self):
        bad = Path(self.folder.name) / "bad"
        for suffix in ("fst", "vcd", "txt"):
            with self.subTest(suffix):
                file = bad.with_suffix("." + suffix)
                with self.assertRaisesRegex(tensix_vp.UsageError, "there is no such file"):
                    tensix_vp.read_waves(file)
                file.write_text("no waves\n")
                with self.assertRaisesRegex(tensix_vp.UsageError, f"bad.{suffix}"):
                    tensix_vp.read_waves(file)
        with self.assertRaisesRegex(tensix_vp.UsageError, "no signal matches 'chip7"):
            tensix_vp.read_waves(self.files["w.vcd"], "chip7.*")
        with self.assertRaisesRegex(KeyError, "no signal 'chip0'"):
            tensix_vp.read_waves(self.files["w.vcd"])["chip0"]

    def test_a_trace_has_the_states_of_the_waves(self):
        trace = tensix_vp.read_trace(self.files["t.json"])
        waves = tensix_vp.read_waves(self.files["w.fst"])
        state = waves["chip0.tensix_1_1.BRISC.state"]
        spans = trace.spans.where(process="chip0", row="tensix_1_1.BRISC.state")
        self.assertGreater(spans.count, 0)
        begins = {
            round(time / 1000, 3): value for time, value in zip(state["time_ps"], state["value"])
        }
        for span in spans.rows():
            self.assertEqual(begins[round(span["begin_ns"], 3)], span["name"])
        counter = trace.counters.where(process="chip0", row="tensix_1_1.niu0.commands")
        self.assertEqual(
            list(counter["value"]), list(waves["chip0.tensix_1_1.niu0.commands"]["value"])
        )

    def test_a_bad_trace_is_named(self):
        with self.assertRaisesRegex(tensix_vp.UsageError, "none.json.*expected a trace"):
            tensix_vp.read_trace(self.files["none.json"])
        self.files["none.json"].write_text('{"a": 1}')
        with self.assertRaisesRegex(tensix_vp.UsageError, "there are no traceEvents"):
            tensix_vp.read_trace(self.files["none.json"])


if __name__ == "__main__":
    unittest.main()
